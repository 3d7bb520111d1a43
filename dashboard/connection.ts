import { useSyncExternalStore } from 'react'

/** How often a lost connection is tried again. */
const RETRY_MS = 3_000

let isLost = false
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** Reports whether the service responded to a request, whatever it said. */
export function reportConnection(hasResponded: boolean): void {
  if (isLost === !hasResponded) return
  isLost = !hasResponded
  clearInterval(timer)
  if (isLost) timer = setInterval(checkConnection, RETRY_MS)
  for (const notify of listeners) notify()
}

async function checkConnection(): Promise<void> {
  const response = await fetch('/healthz', { cache: 'no-store' }).catch(() => null)
  if (response) reportConnection(true)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls `action` each time a lost connection is back. */
export function onReconnect(action: () => void): void {
  listeners.add(() => {
    if (!isLost) action()
  })
}

export const useConnectionLost = () => useSyncExternalStore(subscribe, () => isLost)

/** Serves the offline page. Browsers allow it with HTTPS and on localhost only. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return
  const options = { scope: '/dashboard', updateViaCache: 'none' } as const
  // Without it everything works but the offline page, and the browser reports why.
  navigator.serviceWorker.register('/dashboard/service-worker.js', options).catch(() => {})
}
