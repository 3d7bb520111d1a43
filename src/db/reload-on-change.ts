import type { Topic } from './database.ts'

/**
 * Keeps data in memory up to date: reloads it whenever the database announces a change. Reloads never overlap; a change
 * during a reload causes another; reloads are spaced out while changes keep coming; a failed reload is retried until it
 * succeeds, because a change is announced only once.
 */
export type Reloader = {
  /** Schedules a reload, for a changed dependency. */
  invalidate(): void
  /** Resolves when every change made before the call is loaded. */
  refresh(): Promise<void>
  close(): void
  isClosed(): boolean
}

export type ReloadPacing = {
  /** Minimum pause between two reloads. */
  readonly minIntervalMs?: () => number
  /** Exponential back-off while reloads fail. */
  readonly firstRetryMs?: number
  readonly maxRetryMs?: number
}

/** Passed to each in-memory service; `app/` decides the topic and the logging. */
export type ReloadOnChange = (reload: () => Promise<void>, pacing?: ReloadPacing) => Reloader

export type ReloadOptions = {
  /** Calls `react` at every announced change; returns a function that unsubscribes. */
  readonly subscribe: (react: () => void) => () => void
  /** Called for the first of several failures in a row. */
  readonly onFailure: (error: unknown) => void
  /** Called for the first success after failures. */
  readonly onRecovery: (tries: number) => void
}

const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 2_000

export function reloadOnChange({ subscribe, onFailure, onRecovery }: ReloadOptions): ReloadOnChange {
  return (reload, { minIntervalMs, firstRetryMs = FIRST_RETRY_MS, maxRetryMs = MAX_RETRY_MS } = {}) => {
    let running: Promise<void> | undefined
    let queued: Promise<void> | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReloadPending = false
    let failures = 0
    let closed = false

    function refresh(): Promise<void> {
      if (!running) {
        running = reload().finally(() => {
          running = undefined
        })
        return running
      }
      // The running read may have started before the change: the caller waits for the next one.
      queued ??= running
        .catch(() => {})
        .then(() => {
          queued = undefined
          return refresh()
        })
      return queued
    }

    async function run(): Promise<void> {
      isReloadPending = false
      try {
        await refresh()
        if (failures > 0 && !closed) onRecovery(failures + 1)
        failures = 0
        pause(minIntervalMs?.() ?? 0)
      } catch (error) {
        if (failures === 0 && !closed) onFailure(error)
        isReloadPending = true
        pause(Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(failures, 20)))
        failures++
      }
    }

    /** Between two reads; the next read loads what changes meanwhile. */
    function pause(ms: number): void {
      if (closed) return
      timer = setTimeout(() => {
        timer = undefined
        if (isReloadPending) start()
      }, ms)
    }

    function start(): void {
      timer = setTimeout(run, 0)
    }

    function onChange(): void {
      if (closed) return
      if (timer === undefined) start()
      else isReloadPending = true
    }

    const unsubscribe = subscribe(onChange)
    return {
      invalidate: onChange,
      refresh,
      close() {
        closed = true
        unsubscribe()
        clearTimeout(timer)
      },
      isClosed: () => closed,
    }
  }
}

type ReloadLog = Readonly<Record<'info' | 'warn', (message: string, facts: Readonly<Record<string, unknown>>) => void>>

/** `name` identifies the reloaded data in the log. */
export type ReloadOnTopic = (name: string, topic: Topic) => ReloadOnChange

/** Logs when reloads start to fail and when they work again. */
export function reloadOnTopic(
  db: { onChange(topic: Topic, react: () => void): () => void },
  log: ReloadLog,
): ReloadOnTopic {
  return (name, topic) =>
    reloadOnChange({
      subscribe: (react) => db.onChange(topic, react),
      onFailure: (error) => log.warn('reload failed; retrying', { what: name, cause: String(error) }),
      onRecovery: (tries) => log.info('reload succeeded after retries', { what: name, tries }),
    })
}

/** For a command that reads once. */
export const neverReload: ReloadOnChange = reloadOnChange({
  subscribe: () => () => {},
  onFailure() {},
  onRecovery() {},
})
