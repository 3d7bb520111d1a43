import { createProgress } from '../import/progress-service.ts'

/** Progress in megabytes, on stderr. */
export function openByteProgress(label: string) {
  const progress = createProgress(label, process.stderr, undefined, 'MB')
  return {
    at: (done: number, total: number) => progress.at(Math.floor(done / 1e6), done, total),
    clear: progress.clear,
  }
}
