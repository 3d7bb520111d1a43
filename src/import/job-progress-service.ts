import type { JobStore } from '../jobs/job-store.ts'
import type { Progress } from './progress-service.ts'

const SAVE_EVERY_MS = 500

export type JobProgressSaver = Progress & {
  note(text: string): void
  /** Resolves when nothing is being stored. */
  settled(): Promise<void>
}

/** Stores the progress of a job and aborts it when it should be cancelled. */
export function createProgressSaver(
  jobs: Pick<JobStore, 'saveProgress'>,
  id: string,
  abortController: AbortController,
): JobProgressSaver {
  let savedAt = Number.NEGATIVE_INFINITY
  let note: string | null = null
  let saving: Promise<void> = Promise.resolve()
  let isSaving = false
  function save(rows: number, percent: number | null): void {
    if (isSaving) return
    isSaving = true
    saving = jobs
      .saveProgress(id, { rows, percent, note })
      .then((shouldContinue) => {
        if (!shouldContinue) abortController.abort()
      })
      // Progress may be missing for a while; the import itself reports a database that is unavailable.
      .catch(() => {})
      .finally(() => {
        isSaving = false
      })
  }
  return {
    at(rows, doneBytes, totalBytes) {
      const now = performance.now()
      if (now - savedAt < SAVE_EVERY_MS) return
      savedAt = now
      save(rows, totalBytes ? Math.min(100, Math.floor((doneBytes / totalBytes) * 100)) : null)
    },
    clear() {},
    note(text) {
      note = text
      save(0, null)
    },
    settled: () => saving,
  }
}
