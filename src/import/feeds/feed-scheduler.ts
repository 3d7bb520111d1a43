import { type FeedSchedule, type FeedState, isDue, nextRunAt } from './feed-schedule.ts'
import type { FeedSettings } from './feed-settings.ts'
import type { FeedStore } from './feed-store.ts'

export type FeedSchedulerOptions = {
  /** Read at every check: feeds can be added while the service runs. */
  readonly feeds: () => readonly FeedSettings[]
  readonly store: Pick<FeedStore, 'register' | 'states' | 'enqueueScheduled'>
  /** Receives the stored states of the feeds after every check. */
  readonly onStates: (states: ReadonlyMap<string, FeedState>) => void
  readonly now: () => number
}

type ScheduledFeed = FeedSettings & { readonly schedule: FeedSchedule }

const CHECK_EVERY_MS = 30_000
const MIN_PAUSE_MS = 20

/** Queues the jobs of feeds that are due. */
export function feedScheduler({ feeds, store, onStates, now }: FeedSchedulerOptions) {
  const listScheduled = () => feeds().filter((feed): feed is ScheduledFeed => feed.schedule !== null)
  const registered = new Set<string>()

  return {
    async enqueueDue(): Promise<void> {
      const names = feeds().map(({ name }) => name)
      if (names.length === 0) return
      if (names.some((name) => !registered.has(name))) await store.register(names, now())
      for (const name of names) registered.add(name)
      const states = await store.states()
      onStates(states)
      for (const feed of listScheduled()) {
        const state = states.get(feed.name)
        if (state && isDue(feed.schedule, state, now())) await store.enqueueScheduled(feed, state, now())
      }
    },

    /** Until the next scheduled run. */
    pauseMs(): number {
      const from = now()
      const delaysMs = listScheduled().map(
        ({ schedule }) => (nextRunAt(schedule, from) ?? Number.POSITIVE_INFINITY) - from,
      )
      return Math.max(MIN_PAUSE_MS, Math.min(CHECK_EVERY_MS, ...delaysMs))
    },
  }
}
