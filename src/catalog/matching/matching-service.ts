import { repeatUnref, runTimeSliced, yieldToEventLoop } from '../../lib/event-loop.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import type { Device } from '../device.ts'
import type { Resolution, TitleListing } from './resolution.ts'
import { buildResolver, type Resolver } from './resolver.ts'

/** The registry that titles are matched against. */
export type MatchableRegistry = {
  readonly devices: () => Promise<readonly Device[]>
  /** Called after each change of the registry. */
  readonly onChange: (react: () => void) => () => void
}

export type MatchingService = {
  /** Synchronous once the index is built; the first call after a start waits for it. */
  match(listing: TitleListing): Resolution | Promise<Resolution>
  /** The current index, for callers with many titles. */
  index(): Promise<TitleIndex>
  close(): void
}

/** One state of the registry and its resolver. */
export type TitleIndex = { readonly resolve: Resolver; readonly devices: readonly Device[] }

/** Few enough not to block the event loop before the matching code is compiled. */
const TITLES_PER_TURN = 8
/** The index of the bundled catalogue takes 45 MB; without titles for this long it is released. */
const RELEASE_AFTER_MS = 15 * MINUTE_MS

/**
 * Matches titles against the current catalogue. Building the index takes a few tenths of a second, so it is built on the
 * first request and after each change, time-sliced; meanwhile the previous index is used.
 */
export function createMatchingService(registry: MatchableRegistry, repeat = repeatUnref): MatchingService {
  let current: TitleIndex | undefined
  let building: Promise<TitleIndex> | undefined
  let isStale = false
  let isClosed = false
  let wasUsed = false

  function rebuild(): Promise<TitleIndex> {
    isStale = false
    building ??= buildFromRegistry().then((index) => {
      current = index
      building = undefined
      if (isStale && !isClosed) rebuild()
      return index
    })
    return building
  }

  async function buildFromRegistry(): Promise<TitleIndex> {
    const devices = await registry.devices()
    return { devices, resolve: await runTimeSliced(buildResolver(devices)) }
  }

  const stopReleasing = repeat(() => {
    if (!wasUsed) current = undefined
    wasUsed = false
  }, RELEASE_AFTER_MS)

  let waitingCount = 0
  /** A whole batch may wait for the index. It continues in small turns, so that other requests are served in between. */
  async function matchAfterBuild(listing: TitleListing): Promise<Resolution> {
    const position = waitingCount++
    const { resolve } = await rebuild().finally(() => waitingCount--)
    for (let turns = Math.floor(position / TITLES_PER_TURN); turns > 0; turns--) await yieldToEventLoop()
    return resolve(listing)
  }

  const unsubscribe = registry.onChange(() => {
    isStale = true
    if (current !== undefined && building === undefined) rebuild()
  })

  return {
    async index() {
      wasUsed = true
      return current ?? rebuild()
    },
    match(listing) {
      wasUsed = true
      return current ? current.resolve(listing) : matchAfterBuild(listing)
    },
    close() {
      isClosed = true
      stopReleasing()
      unsubscribe()
    },
  }
}

/** The devices and variants that a search text names as the title of a listing. */
export function createTitleSearch(matching: Pick<MatchingService, 'match'>) {
  const present = ({ decision, device, candidates, variants }: Resolution) => ({
    devices: device ? [device] : decision === 'ambiguous' ? candidates.map((candidate) => candidate.device) : [],
    variants,
  })
  return (text: string) => {
    const resolution = matching.match({ text })
    return resolution instanceof Promise ? resolution.then(present) : present(resolution)
  }
}
