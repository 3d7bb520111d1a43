import { HOUR_MS } from '../lib/time.ts'
import { requestLog } from './request-log.ts'
import { type UsageBatch, usageCounter } from './usage-counter.ts'
import type { UsageStore } from './usage-store.ts'

const FLUSH_EVERY_MS = 30_000
const DELETE_EVERY_MS = HOUR_MS

export type UsageRecorder = ReturnType<typeof openUsageRecorder>

type UsageRecorderOptions = {
  readonly onWarning: (message: string, error: unknown) => void
  /** Unique id of this process. */
  readonly writerId: string
  readonly flushEveryMs?: number
  readonly deleteEveryMs?: number
  /** Whether the clock can be trusted with deletion by age. */
  readonly mayDelete: () => Promise<boolean>
}

/** Counts every request with a key and writes the counts twice a minute; a kill loses at most half a minute. */
export function openUsageRecorder(store: UsageStore, options: UsageRecorderOptions) {
  const { onWarning: complain, writerId, flushEveryMs = FLUSH_EVERY_MS, deleteEveryMs = DELETE_EVERY_MS } = options
  const counter = usageCounter()
  const log = requestLog()
  let batches = 0
  /** A failed write may have succeeded: the same batch is retried until the database confirms it. */
  let unanswered: (UsageBatch & { readonly batch: number }) | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    try {
      await writeUnanswered()
      const taken = counter.take()
      if (taken.counts.length === 0 && taken.peaks.length === 0) return
      unanswered = { ...taken, batch: ++batches }
      await writeUnanswered()
    } catch (error) {
      complain('usage could not be written and is kept for the next attempt', error)
    }
  }
  /** Best effort: the counts are complete, the request log need not be. */
  async function writeLog(): Promise<void> {
    try {
      await store.addToLog(log.take())
    } catch (error) {
      complain('some requests are missing in the request log', error)
    }
  }
  async function writeUnanswered(): Promise<void> {
    if (!unanswered) return
    await store.add(writerId, unanswered.batch, unanswered, Date.now())
    unanswered = undefined
  }
  /** Writes are serialized; after awaiting it a reader sees everything counted before. */
  function flush(): Promise<void> {
    writing = writing.then(write).then(writeLog)
    return writing
  }
  async function deleteOld(): Promise<void> {
    try {
      if (!(await options.mayDelete())) return
      await Promise.all([store.deleteOldUsage(Date.now()), store.deleteOldRequests(Date.now())])
    } catch (error) {
      complain('old usage could not be deleted', error)
    }
  }

  const flushing = setInterval(flush, flushEveryMs)
  const forgetting = setInterval(deleteOld, deleteEveryMs)
  flushing.unref()
  forgetting.unref()

  return {
    add: counter.add,
    /** Also adds the request to the request log. */
    log: log.add,
    flush,
    async close(): Promise<void> {
      clearInterval(flushing)
      clearInterval(forgetting)
      await flush()
    },
  }
}
