import { runTimeSliced, yieldToEventLoop } from '../../lib/event-loop.ts'
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
  /** The current resolver, for callers with many titles. */
  resolver(): Promise<Resolver>
  close(): void
}

/** Few enough not to block the event loop before the matching code is compiled. */
const TITLES_PER_TURN = 8

/**
 * Matches titles against the current catalogue. Building the index takes a few tenths of a second, so it is built after the
 * start or on the first request, and after each change, time-sliced; meanwhile the previous index is used.
 */
export function createMatchingService(registry: MatchableRegistry): MatchingService {
  let current: Resolver | undefined
  let building: Promise<Resolver> | undefined
  let isStale = false
  let isClosed = false

  function rebuild(): Promise<Resolver> {
    isStale = false
    building ??= buildFromRegistry().then((resolver) => {
      current = resolver
      building = undefined
      if (isStale && !isClosed) rebuild()
      return resolver
    })
    return building
  }

  const buildFromRegistry = async () => runTimeSliced(buildResolver(await registry.devices()))

  let waitingCount = 0
  /** A whole batch may wait for the index. It continues in small turns, so that other requests are served in between. */
  async function matchAfterBuild(listing: TitleListing): Promise<Resolution> {
    const position = waitingCount++
    const resolver = await rebuild().finally(() => waitingCount--)
    for (let turns = Math.floor(position / TITLES_PER_TURN); turns > 0; turns--) await yieldToEventLoop()
    return resolver(listing)
  }

  const unsubscribe = registry.onChange(() => {
    isStale = true
    if (current !== undefined && building === undefined) rebuild()
  })

  return {
    resolver: async () => current ?? rebuild(),
    match: (listing) => (current ? current(listing) : matchAfterBuild(listing)),
    close() {
      isClosed = true
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
