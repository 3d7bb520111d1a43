import {
  CLAIM_GRACE_MS,
  type FeedSchedule,
  type FeedState,
  findDueRun,
  nextRunAt,
  wasInterrupted,
} from './feed-schedule.ts'
import type { FeedSettings } from './feed-settings.ts'
import type { FeedStore } from './feed-store.ts'

export type FeedSchedulerOptions = {
  /** Read at every check: feeds can be added while the service runs. */
  readonly feeds: () => readonly FeedSettings[]
  readonly store: Pick<FeedStore, 'register' | 'states' | 'isRunning' | 'claim'>
  /** Runs the feed in a child process and resolves when it has ended. */
  readonly run: (name: string) => Promise<void>
  /** Receives the stored states of the feeds after every check. */
  readonly onStates: (states: ReadonlyMap<string, FeedState>) => void
  readonly now: () => number
}

type ScheduledFeed = FeedSettings & { readonly schedule: FeedSchedule }

/** Also the time after which an interrupted run is repeated. */
const CHECK_EVERY_MS = CLAIM_GRACE_MS
const MIN_PAUSE_MS = 20

/**
 * Runs feeds that are due, one after the other. Every process may check the schedule of a shared database: each run is claimed
 * by one of them.
 */
export function feedScheduler({ feeds, store, run, onStates, now }: FeedSchedulerOptions) {
  const listScheduled = () => feeds().filter((feed): feed is ScheduledFeed => feed.schedule !== null)
  const registered = new Set<string>()

  async function claim({ name, schedule }: ScheduledFeed, state: FeedState): Promise<boolean> {
    const due = findDueRun(schedule, state, now())
    if (!due) return false
    // A feed that takes longer than its interval is not started a second time beside itself.
    if (wasInterrupted(state) && (await store.isRunning(name))) return false
    return store.claim(state, due.attempt, now())
  }

  async function readStates() {
    const states = await store.states()
    onStates(states)
    return states
  }

  return {
    async runDue(signal: AbortSignal): Promise<void> {
      const names = feeds().map(({ name }) => name)
      if (names.length === 0) return
      if (names.some((name) => !registered.has(name))) await store.register(names, now())
      for (const name of names) registered.add(name)
      let states = await readStates()
      for (const feed of listScheduled()) {
        const state = states.get(feed.name)
        if (signal.aborted) return
        if (!state || !(await claim(feed, state))) continue
        await run(feed.name)
        // The run may have taken an hour.
        states = await readStates()
      }
    },

    /** Until the next scheduled run, or until interrupted runs are looked for. */
    pauseMs(): number {
      const from = now()
      const delaysMs = listScheduled().map(
        ({ schedule }) => (nextRunAt(schedule, from) ?? Number.POSITIVE_INFINITY) - from,
      )
      return Math.max(MIN_PAUSE_MS, Math.min(CHECK_EVERY_MS, ...delaysMs))
    },
  }
}
