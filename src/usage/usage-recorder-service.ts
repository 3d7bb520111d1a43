import { requestLog } from './request-log.ts'
import { type UsageBatch, usageCounter } from './usage-counter.ts'
import type { UsageStore } from './usage-store.ts'

export type UsageRecorder = ReturnType<typeof openUsageRecorder>

type UsageRecorderOptions = {
  readonly onWarning: (message: string, error: unknown) => void
  /** Unique id of this process. */
  readonly writerId: string
  /** Whether the clock can be trusted with deletion by age. */
  readonly mayDelete: () => Promise<boolean>
}

/** Counts every request with a key in memory; `flush` writes the counts. A kill loses the counts since the last flush. */
export function openUsageRecorder(store: UsageStore, { onWarning, writerId, mayDelete }: UsageRecorderOptions) {
  const counter = usageCounter()
  const log = requestLog()
  let batches = 0
  /** A failed write may have succeeded: the same batch is retried until the database confirms it. */
  let unconfirmed: (UsageBatch & { readonly batch: number }) | undefined
  let writing: Promise<void> = Promise.resolve()

  async function writeUnconfirmed(): Promise<void> {
    if (!unconfirmed) return
    await store.add(writerId, unconfirmed.batch, unconfirmed, Date.now())
    unconfirmed = undefined
  }
  async function writeCounts(): Promise<void> {
    await writeUnconfirmed()
    const batch = counter.take()
    if (batch.counts.length === 0 && batch.peaks.length === 0) return
    unconfirmed = { ...batch, batch: ++batches }
    await writeUnconfirmed()
  }
  /** Best effort: the counts are complete, the request log need not be. */
  const writeLog = () =>
    store.addToLog(log.take()).catch((error) => onWarning('some requests are missing in the request log', error))

  /** Writes are serialized; after awaiting it a reader sees everything counted before. Failed counts are kept. */
  function flush(): Promise<void> {
    const thisWrite = writing.then(writeCounts).finally(writeLog)
    writing = thisWrite.catch(() => {})
    return thisWrite
  }

  return {
    add: counter.add,
    /** Also adds the request to the request log. */
    log: log.add,
    flush,
    /** Deletes usage and logged requests that are too old. */
    async deleteOld(): Promise<void> {
      if (!(await mayDelete())) return
      await Promise.all([store.deleteOldUsage(Date.now()), store.deleteOldRequests(Date.now())])
    },
    close: () => flush().catch((error) => onWarning('usage could not be written', error)),
  }
}
