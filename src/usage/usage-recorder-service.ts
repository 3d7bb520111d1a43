import { HOUR_MS } from '../lib/time.ts'
import { requestLog } from './request-log.ts'
import { type UsageBatch, usageCounter } from './usage-counter.ts'
import type { UsageStore } from './usage-store.ts'

const FLUSH_EVERY_MS = 30_000
const DELETE_EVERY_MS = HOUR_MS

export type UsageRecorder = ReturnType<typeof openUsageRecorder>

type UsageRecorderOptions = {
  readonly onWarning: (message: string, error: unknown) => void
  /** Names this process among those that count; no two may share it. */
  readonly writerId: string
  readonly flushEveryMs?: number
}

/** Counts every keyed request and writes the counts twice a minute, so that a kill loses half a minute of them at most. */
export function openUsageRecorder(store: UsageStore, options: UsageRecorderOptions) {
  const { onWarning: complain, writerId, flushEveryMs = FLUSH_EVERY_MS } = options
  const counter = usageCounter()
  const log = requestLog()
  let batches = 0
  /** A failed write may have been done all the same; the very same batch is offered again until the store answers. */
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
  /** What is lost here is lost: the counts are whole, and the log is for looking at the last days. */
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
  /** One write after the other; a reader who waits for it sees everything counted before. */
  function flush(): Promise<void> {
    writing = writing.then(write).then(writeLog)
    return writing
  }
  const forget = () =>
    Promise.all([store.deleteOldUsage(Date.now()), store.deleteOldRequests(Date.now())]).catch((error) =>
      complain('old usage could not be deleted', error),
    )

  const flushing = setInterval(flush, flushEveryMs)
  const forgetting = setInterval(forget, DELETE_EVERY_MS)
  flushing.unref()
  forgetting.unref()

  return {
    add: counter.add,
    /** Keeps a request one by one as well. */
    log: log.add,
    flush,
    async close(): Promise<void> {
      clearInterval(flushing)
      clearInterval(forgetting)
      await flush()
    },
  }
}
