import { stoppedBeforeWriting } from './importer.ts'

type Alone<T> = (work: () => Promise<T>, onWait: () => void) => Promise<T>

/** Does `work` when nobody else is at it, or nothing if it is told to stop while it waits. */
export function inTurn<T>(
  alone: Alone<T>,
  work: () => Promise<T>,
  onWait: () => void,
  signal: AbortSignal,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let begun = false
    const stop = () => {
      if (!begun) reject(stoppedBeforeWriting())
    }
    signal.addEventListener('abort', stop)
    alone(async () => {
      begun = true
      if (signal.aborted) throw stoppedBeforeWriting()
      return work()
    }, onWait)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
