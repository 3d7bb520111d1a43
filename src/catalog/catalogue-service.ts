import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { runTimeSliced, SLICE_MS, yieldToEventLoop } from '../lib/event-loop.ts'
import { runToEnd } from '../lib/time-sliced.ts'
import type { Device } from './device.ts'
import type { BaseUrl } from './present.ts'
import { loadRows, type RowTexts } from './rows-load.ts'
import { buildFirstSnapshot, buildSnapshot, type CatalogueSnapshot } from './snapshot.ts'

/** Where the registry is read from; `store.ts` is one. */
export type RegistrySource = {
  /** The catalogue's change counter: every row of that revision or an older one is there to be read. */
  readRevision(): Promise<number>
  /** Every device and variant, in large portions: for a process that nobody waits for yet. */
  readAll(): RowTexts
  /** Devices of a newer revision, a few at a time. */
  readChangedSince(revision: number): AsyncIterable<readonly Device[]>
  count(): Promise<number>
  /** Told of a device whose row is there and cannot be read. */
  onUnreadable(id: string, error: unknown): void
  readIds(): AsyncIterable<readonly string[]>
}

export type Catalogue = {
  /** The registry as it is now. Keep it for the length of one request, not longer. */
  snapshot(): CatalogueSnapshot
  /**
   * Makes, between requests, what the first snapshot left for later so that the service listens sooner. Until then the
   * first caller who searches waits for it.
   */
  buildIndex(): Promise<void>
  /** Reads what changed and swaps in the successor; resolves when everything announced before the call is served. */
  refresh(): Promise<void>
  /** Called after each swap. */
  onChange(react: (snapshot: CatalogueSnapshot) => void): () => void
  close(): void
}

export type CatalogueOptions = {
  readonly source: RegistrySource
  readonly baseUrl: BaseUrl
  readonly reloadOnChange: ReloadOnChange
  /** What the store holds, where that is known already: it is not read again. */
  readonly initialContents?: { readonly devices: readonly Device[]; readonly revision: number } | undefined
}

/** While an import announces step after step, successors are built no more often than this. */
const MIN_RELOAD_INTERVAL_MS = 300

/** Reads the whole registry, then follows the store without ever holding the event loop for long. */
export async function openCatalogue({
  source,
  baseUrl,
  reloadOnChange: follow,
  initialContents: contents,
}: CatalogueOptions): Promise<Catalogue> {
  // Before the rows: what is written while they are read is followed afterwards.
  let revision = contents?.revision ?? (await source.readRevision())
  let current = runToEnd(
    contents
      ? buildSnapshot(null, { changed: contents.devices }, baseUrl)
      : buildFirstSnapshot(await loadRows(source.readAll(), source.onUnreadable), baseUrl),
  )
  const reactions = new Set<(snapshot: CatalogueSnapshot) => void>()
  const unreadable: string[] = []
  let making: Promise<void> | undefined

  async function catchUp(): Promise<void> {
    const reached = await source.readRevision()
    const changed: Device[] = []
    let until = performance.now() + SLICE_MS
    for await (const devices of source.readChangedSince(revision)) {
      for (const device of devices) changed.push(device)
      if (performance.now() < until) continue
      await yieldToEventLoop()
      until = performance.now() + SLICE_MS
    }
    const removed = [...(await readRemoved(changed)), ...unreadable.splice(0)]
    if (following.isClosed()) return
    if (changed.length || removed.length) {
      const next = await runTimeSliced(buildSnapshot(current, { changed, removed }, baseUrl))
      await runTimeSliced(next.searchIndex.remainingWork())
      current = next
      for (const react of reactions) react(current)
    }
    revision = reached
  }

  async function makeIndex(): Promise<void> {
    const index = await runTimeSliced(current.searchIndex.remainingWork())
    for (const { id, error } of index.unreadableDevices) {
      source.onUnreadable(id, error)
      unreadable.push(id)
    }
    if (unreadable.length > 0) following.invalidate()
  }

  /** Rows are seldom taken out, so only a smaller number of them makes us look which ones are gone. */
  async function readRemoved(changed: readonly Device[]): Promise<string[]> {
    const added = changed.filter((device) => !current.placeOfDevice.has(device.id)).length
    if ((await source.count()) >= current.devices.length + added) return []
    const { devices, placeOfDevice } = current
    const isThere = new Uint8Array(devices.length)
    for await (const ids of source.readIds()) {
      for (const id of ids) isThere[placeOfDevice.get(id) ?? devices.length] = 1
      await yieldToEventLoop()
    }
    return Array.from(isThere.keys()).flatMap((place) => (isThere[place] === 1 ? [] : devices.id(place)))
  }

  const following = follow(catchUp, { minIntervalMs: () => MIN_RELOAD_INTERVAL_MS })

  return {
    snapshot: () => current,
    buildIndex() {
      making ??= makeIndex().finally(() => {
        making = undefined
      })
      return making
    },
    refresh: following.refresh,
    onChange(react) {
      reactions.add(react)
      return () => reactions.delete(react)
    },
    close: following.close,
  }
}
