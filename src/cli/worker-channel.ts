import type { SpentByKey, WorkerChannel } from '../auth/rate-limit/worker-limiter-service.ts'

type WorkerReport = { readonly spent: SpentByKey; readonly isOwn: boolean }

/** What a serving process says when it has closed the port they share, and hears when all of them have. */
export const PORT_CLOSED = 'port closed'

/** Tells that this process has closed the port; resolves when every other has, too. */
export function waitForAllPortsClosed(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  process.on('message', (message) => {
    if (message === PORT_CLOSED) resolve()
  })
  if (process.connected) process.send?.(PORT_CLOSED)
  return promise
}

/** To the process that started this one, which passes on what each reports to all of them. */
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
