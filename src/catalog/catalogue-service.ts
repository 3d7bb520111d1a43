import type { Reloader, ReloadOnChange } from '../db/reload-on-change.ts'
import { timeSlice, yieldToEventLoop } from '../lib/event-loop.ts'
import { compareInListOrder, type Device } from './device.ts'
import type { Registry } from './registry.ts'

/** A device as the database has it; null if its rows are invalid. */
export type SourceDevice = { readonly id: string; readonly revision: number; readonly device: Device | null }

/** How far the changes of the database were read. */
export type ChangeCursor = { readonly revision: number; readonly id: string }

/** Number of devices and sum of their revisions, to compare the database with an index. */
export type RegistrySummary = { readonly count: number; readonly revisions: number }

export type DeviceVersion = { readonly id: string; readonly revision: number; readonly releasedOn: string | null }

/** The database, which the index is filled from; implemented in `catalogue-store.ts`. */
export type RegistrySource = {
  /** Differs between databases. */
  readId(): Promise<string>
  /** The catalogue's change counter. Every row of this or an older revision can be read. */
  readRevision(): Promise<number>
  readSummary(): Promise<RegistrySummary>
  count(): Promise<number>
  /** Every device, in any order. */
  readVersions(): AsyncIterable<readonly DeviceVersion[]>
  /** In any order. */
  readDevices(ids: readonly string[]): Promise<readonly SourceDevice[]>
  /** The next devices after the cursor, by revision and id; none if there are no more. */
  readChangedAfter(cursor: ChangeCursor): Promise<readonly SourceDevice[]>
}

export type IndexState = {
  readonly cursor: ChangeCursor
  /** Counts the changes of the index. */
  readonly changes: number
}

/** A change of the index that no request sees before `commit`. */
export type IndexChange = {
  put(devices: readonly SourceDevice[]): void
  remove(ids: readonly string[]): void
  commit(cursor: ChangeCursor): void
  rollback(): void
}

/** An open index. Other processes of the machine may write to the same file. */
export type RegistryIndex = {
  state(): IndexState
  summary(): RegistrySummary
  count(): number
  revisionOf(id: string): number | undefined
  listIds(): string[]
  /** Null while another process changes the index. */
  beginChange(): IndexChange | null
  createRegistry(): Registry
  /** Whether a read or write found the file damaged. */
  isDamaged(): boolean
  /** Whether another process has built the file again. */
  isReplaced(): boolean
  close(): void
}

export type AddDevices = (devices: readonly SourceDevice[]) => void

export type RegistryIndexFile = {
  /** Null if there is no usable file. Calls `onDamage` when a request finds a part of it unreadable. */
  open(sourceId: string, onDamage: () => void): RegistryIndex | null
  /** Replaces the file; `fill` adds all devices in list order and returns the cursor. */
  build(sourceId: string, fill: (add: AddDevices) => Promise<ChangeCursor>): Promise<void>
  /** Runs `work` in one process of the machine at a time. */
  withLock<T>(work: () => Promise<T>, onWait: () => void): Promise<T>
}

export type Catalogue = {
  /** The registry as it is. Keep it for the length of one request, not longer. */
  registry(): Registry
  /** Resolves when every change announced before the call is served. */
  refresh(): Promise<void>
  /** Called after each change. */
  onChange(react: (registry: Registry) => void): () => void
  /** Whether the index is damaged; it is built again then. */
  isDamaged(): boolean
  close(): void
}

export type BuildProgress = { readonly devices: number; readonly of: number }

export type CatalogueOptions = {
  readonly source: RegistrySource
  readonly file: RegistryIndexFile
  readonly reloadOnChange: ReloadOnChange
  /** Called while another process of the machine builds the index. */
  readonly onWait?: () => void
  /** Called for every step of a build. */
  readonly onBuild?: (progress: BuildProgress) => void
  /** Called when the index is damaged, before it is built again. */
  readonly onDamaged?: () => void
}

/** While an import announces step after step, changes are read no more often than this. */
const MIN_RELOAD_INTERVAL_MS = 300
const DEVICES_PER_BUILD_STEP = 400
/** Devices that are written before the event loop continues: a few milliseconds. */
const DEVICES_PER_WRITE = 10
/** Devices that become visible together; a larger transaction takes too long to commit. */
const DEVICES_PER_CHANGE = 200
const LOCK_POLL_MS = 20

/** Opens the index, builds it if there is no usable one, and keeps up with the changes of the database. */
export async function openCatalogue({
  source,
  file,
  reloadOnChange,
  onWait = () => {},
  onBuild = () => {},
  onDamaged = () => {},
}: CatalogueOptions): Promise<Catalogue> {
  const sourceId = await source.readId()
  let reloader: Reloader | undefined
  const open = () => file.open(sourceId, () => reloader?.invalidate())
  let index = open() ?? (await openOrBuild())
  const listeners = new Set<(registry: Registry) => void>()
  let served = index.state()
  let registry = index.createRegistry()
  try {
    await catchUpAtStart()
  } catch (error) {
    // Opening a large file does not read all of it.
    if (!index.isDamaged()) throw error
    await catchUpAtStart()
  }
  serveChange()

  async function openOrBuild(): Promise<RegistryIndex> {
    return file.withLock(async () => {
      const existing = open()
      if (existing) return existing
      await file.build(sourceId, (add) => fillFrom(source, add, onBuild))
      const built = open()
      if (!built) throw new Error('The registry index cannot be read after it was built. Check the disk of DATA_DIR.')
      return built
    }, onWait)
  }

  async function catchUpAtStart(): Promise<void> {
    await catchUp()
    const [ours, theirs] = [index.summary(), await source.readSummary()]
    // Such as after a restored backup, whose revisions count from an earlier value.
    if (ours.count !== theirs.count || ours.revisions !== theirs.revisions) await compareAll()
  }

  async function catchUp(): Promise<void> {
    if (index.isDamaged() || index.isReplaced()) await replaceIndex()
    for (;;) {
      // Without the lock first: mostly there is nothing to change.
      if ((await source.readChangedAfter(index.state().cursor)).length === 0) break
      await changeIndex(async (change) => {
        let { cursor } = index.state()
        for (let written = 0; written < DEVICES_PER_CHANGE; ) {
          const devices = await source.readChangedAfter(cursor)
          const last = devices.at(-1)
          if (!last) break
          await putAll(change, devices)
          written += devices.length
          cursor = { revision: last.revision, id: last.id }
        }
        return cursor
      })
    }
    if ((await source.count()) < index.count()) await compareAll()
  }

  /** Makes one change of the index, which is served from its end on. Waits while another process makes one. */
  async function changeIndex(work: (change: IndexChange) => Promise<ChangeCursor>): Promise<void> {
    let change = index.beginChange()
    for (; change === null; change = index.beginChange()) await Bun.sleep(LOCK_POLL_MS)
    try {
      change.commit(await work(change))
    } catch (error) {
      change.rollback()
      throw error
    }
    serveChange()
  }

  async function putAll(change: IndexChange, devices: readonly SourceDevice[]): Promise<void> {
    for (let at = 0; at < devices.length; at += DEVICES_PER_WRITE) {
      change.put(devices.slice(at, at + DEVICES_PER_WRITE))
      await yieldToEventLoop()
    }
  }

  /** Opens the file that another process has built meanwhile, or builds it. */
  async function replaceIndex(): Promise<void> {
    if (index.isDamaged()) onDamaged()
    const previous = index
    index = await openOrBuild()
    previous.close()
    served = { ...served, changes: -1 }
  }

  /** Compares the revision of every device, and reads those that differ. */
  async function compareAll(): Promise<void> {
    const pause = timeSlice()
    // Before the rows: changes made while they are read are then read again.
    const cursor = cursorAfter(await source.readRevision())
    const missing = new Set(index.listIds())
    const differing: string[] = []
    for await (const versions of source.readVersions()) {
      for (const { id, revision } of versions) {
        missing.delete(id)
        if (index.revisionOf(id) !== revision) differing.push(id)
      }
      await pause()
    }
    for (let at = 0; at < differing.length; at += DEVICES_PER_CHANGE) {
      const devices = await source.readDevices(differing.slice(at, at + DEVICES_PER_CHANGE))
      await changeIndex(async (change) => {
        await putAll(change, devices)
        return cursor
      })
    }
    const removed = [...missing]
    for (let at = 0; at < removed.length || at === 0; at += DEVICES_PER_CHANGE) {
      await changeIndex(async (change) => {
        change.remove(removed.slice(at, at + DEVICES_PER_CHANGE))
        return cursor
      })
    }
  }

  /** Another process may have made the change. */
  function serveChange(): void {
    const state = index.state()
    if (state.changes === served.changes) return
    served = state
    registry = index.createRegistry()
    for (const listener of listeners) listener(registry)
  }

  const running = reloadOnChange(
    async () => {
      await catchUp()
      serveChange()
    },
    { minIntervalMs: () => MIN_RELOAD_INTERVAL_MS },
  )
  reloader = running

  return {
    registry: () => registry,
    refresh: running.refresh,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isDamaged: () => index.isDamaged(),
    close() {
      running.close()
      index.close()
    },
  }
}

/** Adds every device of the database in list order: newest first, unknown release dates last, then by id. */
async function fillFrom(
  source: RegistrySource,
  add: AddDevices,
  onBuild: (progress: BuildProgress) => void,
): Promise<ChangeCursor> {
  // Before the rows: changes made while they are read are then read again.
  const revision = await source.readRevision()
  const versions: DeviceVersion[] = []
  for await (const step of source.readVersions()) for (const version of step) versions.push(version)
  versions.sort(compareInListOrder)
  const pause = timeSlice()
  for (let at = 0; at < versions.length; at += DEVICES_PER_BUILD_STEP) {
    const ids = versions.slice(at, at + DEVICES_PER_BUILD_STEP).map(({ id }) => id)
    const byId = new Map((await source.readDevices(ids)).map((each) => [each.id, each]))
    add(ids.flatMap((id) => byId.get(id) ?? []))
    onBuild({ devices: at + ids.length, of: versions.length })
    await pause()
  }
  return cursorAfter(revision)
}

/** After every device of a revision. */
const cursorAfter = (revision: number): ChangeCursor => ({ revision: revision + 1, id: '' })
