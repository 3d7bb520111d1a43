import type { Follow } from '../follow.ts'
import { inSlices, SLICE_MS, yieldToRequests } from '../in-slices.ts'
import { atOnce } from '../slices.ts'
import type { Device } from './device.ts'
import type { BaseUrl } from './present.ts'
import { loadRows, type RowTexts } from './rows-load.ts'
import { buildSnapshot, firstSnapshot, type Snapshot } from './snapshot.ts'

/** Where the registry is read from; `store.ts` is one. */
export type RegistrySource = {
  /** The catalogue's change counter: every row of that revision or an older one is there to be read. */
  counter(): Promise<number>
  /** Every device and variant, in large portions: for a process that nobody waits for yet. */
  readAll(): RowTexts
  /** Devices of a newer revision, a few at a time. */
  readSince(revision: number): AsyncIterable<readonly Device[]>
  count(): Promise<number>
  /** Told of a device whose row is there and cannot be read. */
  unreadable(id: string, error: unknown): void
  ids(): AsyncIterable<readonly string[]>
}

export type Catalogue = {
  /** The registry as it is now. Keep it for the length of one request, not longer. */
  snapshot(): Snapshot
  /**
   * Makes, between requests, what the first snapshot left for later so that the service listens sooner. Until then the
   * first caller who searches waits for it.
   */
  makeIndex(): Promise<void>
  /** Reads what changed and swaps in the successor; resolves when everything announced before the call is served. */
  refresh(): Promise<void>
  /** Called after each swap. */
  onSwap(react: (snapshot: Snapshot) => void): () => void
  close(): void
}

export type CatalogueOptions = {
  readonly source: RegistrySource
  readonly baseUrl: BaseUrl
  readonly follow: Follow
  /** What the store holds, where that is known already: it is not read again. */
  readonly contents?: { readonly devices: readonly Device[]; readonly revision: number } | undefined
}

/** While an import announces step after step, successors are built no more often than this. */
const REST_MS = 300

/** Reads the whole registry, then follows the store without ever holding the event loop for long. */
export async function openCatalogue({ source, baseUrl, follow, contents }: CatalogueOptions): Promise<Catalogue> {
  // Before the rows: what is written while they are read is followed afterwards.
  let revision = contents?.revision ?? (await source.counter())
  let current = atOnce(
    contents
      ? buildSnapshot(null, { changed: contents.devices }, baseUrl)
      : firstSnapshot(await loadRows(source.readAll(), source.unreadable), baseUrl),
  )
  const reactions = new Set<(snapshot: Snapshot) => void>()
  const unreadable: string[] = []
  let making: Promise<void> | undefined

  async function catchUp(): Promise<void> {
    const reached = await source.counter()
    const changed: Device[] = []
    let until = performance.now() + SLICE_MS
    for await (const devices of source.readSince(revision)) {
      for (const device of devices) changed.push(device)
      if (performance.now() < until) continue
      await yieldToRequests()
      until = performance.now() + SLICE_MS
    }
    const removed = [...(await readRemoved(changed)), ...unreadable.splice(0)]
    if (following.isClosed()) return
    if (changed.length || removed.length) {
      const next = await inSlices(buildSnapshot(current, { changed, removed }, baseUrl))
      await inSlices(next.index.rest())
      current = next
      for (const react of reactions) react(current)
    }
    revision = reached
  }

  async function makeIndex(): Promise<void> {
    const index = await inSlices(current.index.rest())
    for (const { id, error } of index.unreadable) {
      source.unreadable(id, error)
      unreadable.push(id)
    }
    if (unreadable.length > 0) following.changed()
  }

  /** Rows are seldom taken out, so only a smaller number of them makes us look which ones are gone. */
  async function readRemoved(changed: readonly Device[]): Promise<string[]> {
    const added = changed.filter((device) => !current.placeOfDevice.has(device.id)).length
    if ((await source.count()) >= current.devices.length + added) return []
    const { devices, placeOfDevice } = current
    const isThere = new Uint8Array(devices.length)
    for await (const ids of source.ids()) {
      for (const id of ids) isThere[placeOfDevice.get(id) ?? devices.length] = 1
      await yieldToRequests()
    }
    return Array.from(isThere.keys()).flatMap((place) => (isThere[place] === 1 ? [] : devices.id(place)))
  }

  const following = follow(catchUp, { restMs: () => REST_MS })

  return {
    snapshot: () => current,
    makeIndex() {
      making ??= makeIndex().finally(() => {
        making = undefined
      })
      return making
    },
    refresh: following.refresh,
    onSwap(react) {
      reactions.add(react)
      return () => reactions.delete(react)
    },
    close: following.close,
  }
}
