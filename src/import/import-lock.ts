import type { Database } from '../db/database.ts'
import { importStoppedBeforeWriting } from './importer.ts'

export type ImportLock = {
  readonly db: Database
  /** Name of the lock; valid as a file name. */
  readonly name: string
  /** Called once if another process holds the lock. */
  readonly onWait: () => void
  readonly signal: AbortSignal
}

/** Runs `work` while holding a lock; rejects if it is aborted while it waits. */
export function withImportLock<T>({ db, name, onWait, signal }: ImportLock, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let hasStarted = false
    const rejectIfWaiting = () => {
      if (!hasStarted) reject(importStoppedBeforeWriting())
    }
    signal.addEventListener('abort', rejectIfWaiting)
    const start = async () => {
      hasStarted = true
      if (signal.aborted) throw importStoppedBeforeWriting()
      return work()
    }
    db.withLock(name, start, onWait)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', rejectIfWaiting))
  })
}
