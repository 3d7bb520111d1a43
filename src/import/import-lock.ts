import { importStoppedBeforeWriting } from './importer.ts'

type WithLock<T> = (work: () => Promise<T>, onWait: () => void) => Promise<T>

/** Does `work` when nobody else is at it, or nothing if it is told to stop while it waits. */
export function withImportLock<T>(
  withLock: WithLock<T>,
  work: () => Promise<T>,
  onWait: () => void,
  signal: AbortSignal,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let begun = false
    const stop = () => {
      if (!begun) reject(importStoppedBeforeWriting())
    }
    signal.addEventListener('abort', stop)
    withLock(async () => {
      begun = true
      if (signal.aborted) throw importStoppedBeforeWriting()
      return work()
    }, onWait)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
