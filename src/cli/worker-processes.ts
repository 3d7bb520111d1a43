import { selfCommand } from '../lib/child-process.ts'
import type { Log } from '../lib/log.ts'
import type { CommandContext } from './command.ts'
import { PORT_CLOSED } from './worker-channel.ts'

/** Environment variable of a worker process: its number, from 1. */
export const WORKER_NUMBER_VARIABLE = 'DEVICE_INTELLIGENCE_WORKER'

/** Resolves when the parent process is gone: then no other process would stop this worker. */
export async function waitForParentExit(): Promise<void> {
  for await (const _ of Bun.stdin.stream()) {
    // The parent never writes.
  }
}

const RESTART_DELAY_MS = 500
const STOP_TIMEOUT_MS = 12_000

/** A program that starts this one may pass on the same Ctrl-C that the terminal has sent. */
const SAME_INTERRUPT_MS = 500

/** A second Ctrl-C does not wait for requests. Nothing is lost by it: what was answered is stored. */
export function endAtSecondInterrupt(): void {
  let firstAt: number | undefined
  process.on('SIGINT', () => {
    firstAt ??= performance.now()
    if (performance.now() - firstAt > SAME_INTERRUPT_MS) process.exit(130)
  })
}

/** Runs several worker processes on one port: the kernel spreads connections, the database keeps them consistent. */
export async function serveWithWorkers({ config, environment, print }: CommandContext, log: Log): Promise<void> {
  const running = new Set<Bun.Subprocess>()
  /** Workers that have closed the port during shutdown. */
  const closed = new Set<Bun.Subprocess>()
  let stopping = false

  async function keepRunning(number: number, ready: () => void): Promise<void> {
    while (!stopping) {
      const worker = Bun.spawn(selfCommand('serve'), {
        env: { ...environment, [WORKER_NUMBER_VARIABLE]: String(number) },
        // Never written to: it closes when this process ends, even by kill -9, and the worker then exits.
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'inherit',
        // Forwarded in order of arrival, which is then the same for all workers.
        ipc(message, from) {
          if (message !== PORT_CLOSED) {
            for (const sibling of running) sibling.send({ spent: message, isOwn: sibling === from })
            return
          }
          closed.add(from)
          if (closed.size >= running.size) for (const sibling of running) sibling.send(PORT_CLOSED)
        },
      })
      running.add(worker)
      log.info('worker started', { worker: number, pid: worker.pid })
      for await (const chunk of worker.stdout) if (Buffer.from(chunk).includes('listening on')) ready()
      const code = await worker.exited
      running.delete(worker)
      if (stopping) return
      log.error('worker exited; starting another', { worker: number, pid: worker.pid, exit_code: code })
      await Bun.sleep(RESTART_DELAY_MS)
    }
  }

  const stopped = new Promise<'SIGTERM' | 'SIGINT'>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
    endAtSecondInterrupt()
  })
  const serving: Promise<void>[] = []
  const allReady = Promise.all(
    Array.from(
      { length: config.workers },
      (_, index) => new Promise<void>((ready) => serving.push(keepRunning(index + 1, ready))),
    ),
  )
  process.on('SIGHUP', () => {
    for (const worker of running) worker.kill('SIGHUP')
  })
  await Promise.race([allReady, stopped])
  print(`listening on ${config.tls ? 'https' : 'http'}://${config.host}:${config.port}`)
  const signal = await stopped
  log.info('stopping workers', { signal })
  stopping = true
  for (const worker of running) worker.kill(signal)
  await Promise.race([Promise.all(serving), Bun.sleep(config.drainMs + STOP_TIMEOUT_MS)])
  for (const worker of running) {
    log.warn('worker did not stop in time; killed', { pid: worker.pid })
    worker.kill('SIGKILL')
  }
  log.flush()
}
