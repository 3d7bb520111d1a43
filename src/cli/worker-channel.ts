import type { SpentByKey, WorkerChannel } from '../auth/rate-limit/worker-limiter-service.ts'

type WorkerReport = { readonly spent: SpentByKey; readonly isOwn: boolean }

/** Sent by a worker that closed the shared port, and to all workers once every one has. */
export const PORT_CLOSED = 'port closed'

/** Reports that this worker closed the port; resolves when all workers have. */
export function waitForAllPortsClosed(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  process.on('message', (message) => {
    if (message === PORT_CLOSED) resolve()
  })
  if (process.connected) process.send?.(PORT_CLOSED)
  return promise
}

/** Channel to the parent process, which forwards every report to all workers. */
export function openWorkerChannel(): WorkerChannel | undefined {
  if (process.send === undefined) return undefined
  return {
    report(spent) {
      if (process.connected) process.send?.(spent)
    },
    onReport(heard) {
      process.on('message', (message: WorkerReport | typeof PORT_CLOSED) => {
        if (message !== PORT_CLOSED) heard(message.spent, message.isOwn)
      })
    },
  }
}
