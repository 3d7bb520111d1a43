/** Looks when feeds are due and has them run, one after the other; the running itself is done by a process of its own. */

import { CLAIM_GRACE_MS, type FeedState, findDueRun, wasInterrupted } from './feed-due.ts'
import { type FeedSchedule, nextRunAt } from './feed-schedule.ts'
import type { FeedSettings } from './feed-settings.ts'
import type { FeedStore } from './feed-store.ts'

export type FeedSchedulerOptions = {
  readonly feeds: readonly FeedSettings[]
  readonly store: Pick<FeedStore, 'register' | 'states' | 'isRunning' | 'take'>
  /** Runs the feed and resolves when that is over, however it ended. */
  readonly run: (name: string) => Promise<void>
  /** What the store says of the feeds, each time it was looked at. */
  readonly onStates: (states: ReadonlyMap<string, FeedState>) => void
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

type ScheduledFeed = FeedSettings & { readonly schedule: FeedSchedule }

/** Also the time after which a run that was cut off is begun again. */
const CHECK_EVERY_MS = CLAIM_GRACE_MS
const MIN_PAUSE_MS = 20

/** Every serving process may keep a schedule over one store: each turn is taken by one of them. Returns how to stop. */
export function startFeedScheduler({
  feeds,
  store,
  run,
  onStates: seen,
  onError: failed,
  now,
}: FeedSchedulerOptions): () => Promise<void> {
  const scheduled = feeds.filter((feed): feed is ScheduledFeed => feed.schedule !== null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false
  let isRegistered = false
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    if (!isRegistered) {
      await store.register(
        feeds.map(({ name }) => name),
        now(),
      )
    }
    isRegistered = true
    let states = await store.states()
    seen(states)
    for (const feed of scheduled) {
      const state = states.get(feed.name)
      if (closed) return
      if (!state || !(await isTaken(feed, state))) continue
      await run(feed.name)
      // That may have taken an hour.
      states = await store.states()
      seen(states)
    }
  }

  async function isTaken({ name, schedule }: ScheduledFeed, state: FeedState): Promise<boolean> {
    const turn = findDueRun(schedule, state, now())
    if (!turn) return false
    // A list that takes longer than its schedule allows is not begun a second time beside itself.
    if (wasInterrupted(state) && (await store.isRunning(name))) return false
    return store.take(state, turn.attempt, now())
  }

  /** Until the next time that any schedule names, or until it is time to look for what was cut off. */
  function pauseMs(): number {
    const at = now()
    const next = scheduled.map(({ schedule }) => (nextRunAt(schedule, at) ?? Number.POSITIVE_INFINITY) - at)
    return Math.max(MIN_PAUSE_MS, Math.min(CHECK_EVERY_MS, ...next))
  }

  function lookAfter(ms: number): void {
    timer = setTimeout(() => {
      looking = look()
        .catch(failed)
        .finally(() => {
          if (!closed) lookAfter(pauseMs())
        })
    }, ms)
  }

  lookAfter(0)
  return async () => {
    closed = true
    clearTimeout(timer)
    await looking
  }
}
