import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { runTimeSliced, SLICE_MS, yieldToEventLoop } from '../lib/event-loop.ts'
import { runToEnd } from '../lib/time-sliced.ts'
import type { Device } from './device.ts'
import type { BaseUrl } from './present.ts'
import { buildSnapshot, type CatalogueSnapshot, LARGE_REGISTRY_DEVICES } from './snapshot.ts'

/** Where the registry is read from; implemented in `catalogue-store.ts`. */
export type RegistrySource = {
  /** The catalogue's change counter. Every row of this or an older revision can be read. */
  readRevision(): Promise<number>
  /** Every device, in any order. A device that is written while it is read may come twice. */
  readAll(): Promise<readonly Device[]>
  /** Devices of a newer revision, a few at a time. */
  readChangedSince(revision: number): AsyncIterable<readonly Device[]>
  count(): Promise<number>
  readIds(): AsyncIterable<readonly string[]>
}

export type Catalogue = {
  /** The registry as it is now. Keep it for the length of one request, not longer. */
  snapshot(): CatalogueSnapshot
  /** Builds the search index of the first snapshot, yielding to the event loop. Until then the first search builds it. */
  buildIndex(): Promise<void>
  /** Loads changes and replaces the snapshot; resolves when every change announced before the call is served. */
  refresh(): Promise<void>
  /** Called after each swap. */
  onChange(react: (snapshot: CatalogueSnapshot) => void): () => void
  close(): void
}

export type CatalogueOptions = {
  readonly source: RegistrySource
  readonly baseUrl: BaseUrl
  readonly reloadOnChange: ReloadOnChange
}

/** While an import announces step after step, successors are built no more often than this. */
const MIN_RELOAD_INTERVAL_MS = 300

/** Reads the whole registry, then keeps up with the database without blocking the event loop. */
export async function openCatalogue({ source, baseUrl, reloadOnChange }: CatalogueOptions): Promise<Catalogue> {
  // Before the rows: changes made while they are read are then read again.
  let revision = await source.readRevision()
  let current = runToEnd(buildSnapshot(null, { changed: await source.readAll() }, baseUrl))
  if (current.devices.length > LARGE_REGISTRY_DEVICES) current.searchIndex.finishNow()
  const listeners = new Set<(snapshot: CatalogueSnapshot) => void>()

  async function catchUp(): Promise<void> {
    const newRevision = await source.readRevision()
    const changed: Device[] = []
    let sliceEnd = performance.now() + SLICE_MS
    for await (const devices of source.readChangedSince(revision)) {
      for (const device of devices) changed.push(device)
      if (performance.now() < sliceEnd) continue
      await yieldToEventLoop()
      sliceEnd = performance.now() + SLICE_MS
    }
    const removed = await readRemoved(changed)
    if (reloader.isClosed()) return
    if (changed.length || removed.length) {
      const next = await runTimeSliced(buildSnapshot(current, { changed, removed }, baseUrl))
      await runTimeSliced(next.searchIndex.remainingWork())
      current = next
      for (const listener of listeners) listener(current)
    }
    revision = newRevision
  }

  /** Devices are seldom removed, so ids are compared only if the number of rows is too small. */
  async function readRemoved(changed: readonly Device[]): Promise<string[]> {
    const { devices, devicePositions } = current
    const added = changed.filter((device) => !devicePositions.has(device.id)).length
    if ((await source.count()) >= devices.length + added) return []
    const exists = new Uint8Array(devices.length)
    for await (const ids of source.readIds()) {
      for (const id of ids) exists[devicePositions.get(id) ?? devices.length] = 1
      await yieldToEventLoop()
    }
    return devices.filter((_, position) => exists[position] === 0).map(({ device }) => device.id)
  }

  const reloader = reloadOnChange(catchUp, { minIntervalMs: () => MIN_RELOAD_INTERVAL_MS })

  return {
    snapshot: () => current,
    async buildIndex() {
      await runTimeSliced(current.searchIndex.remainingWork())
    },
    refresh: reloader.refresh,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: reloader.close,
  }
}
