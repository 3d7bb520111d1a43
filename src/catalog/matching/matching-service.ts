import { runTimeSliced, yieldToEventLoop } from '../../lib/event-loop.ts'
import type { Device } from '../device.ts'
import type { Resolution, TitleListing } from './resolution.ts'
import { buildResolver, type Resolver } from './resolver.ts'

/** The registry that titles are matched against. */
export type MatchableRegistry = {
  /** Gone through in slices: each may be read from its text only then. */
  readonly devices: () => Iterable<Device>
  /** Called after each change of the registry. */
  readonly onChange: (react: () => void) => () => void
}

export type MatchingService = {
  /** At once where the names are known; the first call after a start waits until they are. */
  match(listing: TitleListing): Resolution | Promise<Resolution>
  /** The names as they are known now, for whoever matches many. */
  resolver(): Promise<Resolver>
  close(): void
}

/** Few enough to hold nobody up, while the code that matches is not compiled yet. */
const TITLES_PER_TURN = 8

/**
 * Titles matched against the registry as it is served. Learning all names takes a few tenths of a second, so it is done
 * when somebody first asks, in slices between other requests, and again after each change; meanwhile the names known
 * before still serve.
 */
export function createMatchingService(registry: MatchableRegistry): MatchingService {
  let current: Resolver | undefined
  let learning: Promise<Resolver> | undefined
  let isStale = false

  function learn(): Promise<Resolver> {
    isStale = false
    learning ??= runTimeSliced(buildResolver(registry.devices())).then((resolver) => {
      current = resolver
      learning = undefined
      if (isStale) learn()
      return resolver
    })
    return learning
  }

  let waiting = 0
  /** All of a batch may wait for the names. They go on one after the other, so that nobody else has to wait for all. */
  async function whenLearnt(listing: TitleListing): Promise<Resolution> {
    const place = waiting++
    const resolver = await learn().finally(() => waiting--)
    for (let turns = Math.floor(place / TITLES_PER_TURN); turns > 0; turns--) await yieldToEventLoop()
    return resolver(listing)
  }

  const stop = registry.onChange(() => {
    isStale = true
    if (current !== undefined && learning === undefined) learn()
  })

  return {
    resolver: async () => current ?? learn(),
    match: (listing) => (current ? current(listing) : whenLearnt(listing)),
    close: stop,
  }
}

/** The devices and variants that a search means when it is the title of a listing; none where it names nothing on board. */
export function createTitleSearch(matching: Pick<MatchingService, 'match'>) {
  const present = ({ decision, device, candidates, variants }: Resolution) => ({
    devices: device ? [device] : decision === 'ambiguous' ? candidates.map((candidate) => candidate.device) : [],
    variants,
  })
  return (text: string) => {
    const found = matching.match({ text })
    return found instanceof Promise ? found.then(present) : present(found)
  }
}
