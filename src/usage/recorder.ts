import { usageCounter } from './counter.ts'
import type { UsageStore } from './store.ts'

const FLUSH_EVERY_MS = 30_000
const FORGET_EVERY_MS = 6 * 3_600_000

export type UsageRecorder = ReturnType<typeof openUsageRecorder>

/** Counts every keyed request and writes the counts twice a minute, so that a kill loses less than a minute of them. */
export function openUsageRecorder(store: UsageStore, complain: (message: string, error: unknown) => void) {
  const counter = usageCounter()
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const taken = counter.take()
    try {
      await store.add(taken.counts, taken.peaks)
    } catch (error) {
      counter.giveBack(taken)
      complain('usage could not be written and is kept for the next attempt', error)
    }
  }
  /** One write after the other; a reader who waits for it sees everything counted before. */
  function flush(): Promise<void> {
    writing = writing.then(write)
    return writing
  }
  const forget = () => store.forgetOld(Date.now()).catch((error) => complain('old usage could not be deleted', error))

  const flushing = setInterval(flush, FLUSH_EVERY_MS)
  const forgetting = setInterval(forget, FORGET_EVERY_MS)
  flushing.unref()
  forgetting.unref()

  return {
    add: counter.add,
    flush,
    async close(): Promise<void> {
      clearInterval(flushing)
      clearInterval(forgetting)
      await flush()
    },
  }
}
