import type { Topic } from './database.ts'

/**
 * What is held in memory follows the store: it is read again whenever the store says that it changed. One read at a
 * time; a change during a read is followed by another; reads are some time apart while changes keep coming; and a read
 * that failed is tried again until it succeeds, because a change is announced only once.
 */
export type Reloader = {
  /** Something else it rests on has changed; a read follows soon. */
  invalidate(): void
  /** Resolves when everything that changed before the call has been taken in. */
  refresh(): Promise<void>
  close(): void
  isClosed(): boolean
}

export type ReloadPacing = {
  /** How long to leave between two reads. */
  readonly minIntervalMs?: () => number
  /** Between two tries while reads fail: the first pause, which doubles from try to try up to the longest. */
  readonly firstRetryMs?: number
  readonly maxRetryMs?: number
}

/** Given to whatever holds something in memory; what it follows and who is told of trouble is settled by the wiring. */
export type ReloadOnChange = (read: () => Promise<void>, pace?: ReloadPacing) => Reloader

export type ReloadOptions = {
  /** Calls `react` at every announcement; returns how to stop that. */
  readonly subscribe: (react: () => void) => () => void
  /** Called when reads begin to fail, not for every try of a store that stays away. */
  readonly onFailure: (error: unknown) => void
  /** Called at the first read that succeeds again. */
  readonly onRecovery: (tries: number) => void
}

const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 2_000

export function reloadOnChange({
  subscribe: listen,
  onFailure: failing,
  onRecovery: recovered,
}: ReloadOptions): ReloadOnChange {
  return (read, { minIntervalMs, firstRetryMs = FIRST_RETRY_MS, maxRetryMs = MAX_RETRY_MS } = {}) => {
    let running: Promise<void> | undefined
    let queued: Promise<void> | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let pending = false
    let failures = 0
    let closed = false

    function refresh(): Promise<void> {
      if (!running) {
        running = read().finally(() => {
          running = undefined
        })
        return running
      }
      // A read under way may have begun before the change: the caller waits for the one after it.
      queued ??= running
        .catch(() => {})
        .then(() => {
          queued = undefined
          return refresh()
        })
      return queued
    }

    async function run(): Promise<void> {
      pending = false
      try {
        await refresh()
        if (failures > 0 && !closed) recovered(failures + 1)
        failures = 0
        pause(minIntervalMs?.() ?? 0)
      } catch (error) {
        if (failures === 0 && !closed) failing(error)
        pending = true
        pause(Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(failures, 20)))
        failures++
      }
    }

    /** Between two reads; what changes meanwhile is taken in by the next. */
    function pause(ms: number): void {
      if (closed) return
      timer = setTimeout(() => {
        timer = undefined
        if (pending) start()
      }, ms)
    }

    function start(): void {
      timer = setTimeout(run, 0)
    }

    function changed(): void {
      if (closed) return
      if (timer === undefined) start()
      else pending = true
    }

    const stopListening = listen(changed)
    return {
      invalidate: changed,
      refresh,
      close() {
        closed = true
        stopListening()
        clearTimeout(timer)
      },
      isClosed: () => closed,
    }
  }
}

type ReloadLog = Readonly<Record<'info' | 'warn', (message: string, facts: Readonly<Record<string, unknown>>) => void>>

/** How to follow a topic of the store; `what` names in the log what is read. */
export type ReloadOnTopic = (what: string, topic: Topic) => ReloadOnChange

/** Says in the log when following begins to fail and when it works again. */
export function reloadOnTopic(
  store: { onChange(topic: Topic, react: () => void): () => void },
  log: ReloadLog,
): ReloadOnTopic {
  return (name, topic) =>
    reloadOnChange({
      subscribe: (react) => store.onChange(topic, react),
      onFailure: (error) =>
        log.warn('cannot follow the store; trying until it works', { what: name, cause: String(error) }),
      onRecovery: (tries) => log.info('following the store again', { what: name, tries }),
    })
}

/** For a command that reads once: nothing is announced to it, and `refresh` tells it what went wrong. */
export const neverReload: ReloadOnChange = reloadOnChange({
  subscribe: () => () => {},
  onFailure() {},
  onRecovery() {},
})
