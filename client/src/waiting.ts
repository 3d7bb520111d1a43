const FIRST_DELAY_MS = 500
/** Adds jitter, because many clients may wait until the same moment. */
const RETRY_AFTER_JITTER_MS = 250

/** Pause after the given attempt: as `Retry-After` says, or growing from half a second; both with jitter. */
export function retryDelayMs(attempt: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + Math.random() * RETRY_AFTER_JITTER_MS
  return FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
}

/** Resolves after `ms`, or rejects with the signal's reason as soon as it is aborted. */
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

/** A signal that is aborted with the caller's, and by itself after `ms`. `AbortSignal.any` is not everywhere yet. */
export function deadline(ms: number, signal?: AbortSignal) {
  const controller = new AbortController()
  const aborted = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(new Error(`No response within ${ms} ms.`)), ms)
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
