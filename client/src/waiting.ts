const FIRST_PAUSE_MS = 500

/** How long to wait before the next attempt: as the service says, or growing from half a second with some chance in it. */
export function pauseMs(attempt: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000
  return FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2)
}

/** Resolves after so long, or rejects with the signal's reason as soon as it is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(done, ms)
    function aborted() {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    function done() {
      signal?.removeEventListener('abort', aborted)
      resolve()
    }
    signal?.addEventListener('abort', aborted, { once: true })
  })
}

/** A signal that is aborted with the caller's, and by itself after so long. `AbortSignal.any` is not everywhere yet. */
export function deadline(ms: number, signal?: AbortSignal) {
  const controller = new AbortController()
  const aborted = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(new Error(`No answer within ${ms} ms.`)), ms)
  if (signal?.aborted) aborted()
  signal?.addEventListener('abort', aborted, { once: true })
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
    },
  }
}
