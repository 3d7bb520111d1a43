import { lookup } from 'node:dns/promises'
import { statSync } from 'node:fs'
import { openApp } from '../app.ts'
import { baseUrlOf } from '../config.ts'
import { loadXlsxWriter } from '../http/csv-response.ts'
import { type MetricsServer, serveMetrics } from '../http/metrics.ts'
import { assertPortFree, listen, type RunningServer } from '../http/server.ts'
import { type Log, openLog } from '../lib/log.ts'
import { command } from './command.ts'
import { CommandError } from './command-error.ts'
import { recordServing } from './serving-file.ts'
import { startupMessages } from './start-message.ts'
import { openWorkerChannel, waitForAllPortsClosed } from './worker-channel.ts'
import {
  endAtSecondInterrupt,
  serveWithWorkers,
  WORKER_NUMBER_VARIABLE,
  waitForParentExit,
} from './worker-processes.ts'

export const serveCommand = command({
  name: 'serve',
  help: 'Start the service.',
  async run(_, context) {
    const { config, environment } = context
    const workerNumber = Number(environment[WORKER_NUMBER_VARIABLE] ?? 0)
    const isWorker = workerNumber > 0
    const isTerminal = process.stderr.isTTY === true
    const log = openLog(config.logLevel, { isTerminal })
    logUncaughtErrors(log)
    if (!isWorker) {
      await requireLocalHost(config.host)
      warnIfOthersCanRead(config.dataDir, log)
    }
    const app = await openApp(config, log, environment, isWorker ? openWorkerChannel() : undefined)
    const messages = startupMessages(app, context, isTerminal)
    if (!isWorker) {
      await messages.reportKeys(baseUrlOf(config))
    }
    if (config.workers > 1 && !isWorker) {
      await messages.reportDashboard(baseUrlOf(config))
      await app.close()
      try {
        // Workers share the port, so the kernel would silently share it with another program too.
        assertPortFree(config)
      } catch (error) {
        throw new CommandError(listenErrorMessage(error, config.host, config.port), 1, error)
      }
      const removeRecord = recordServing(config.dataDir, baseUrlOf({ ...config, baseUrl: '' }))
      await serveWithWorkers(context, log).finally(removeRecord)
      return
    }
    const stopped = isWorker
      ? Promise.race([waitForStopSignal(), waitForParentExit().then(() => 'parent gone')])
      : waitForStopSignal()
    let listening: RunningServer
    let metrics: MetricsServer | undefined
    // Each worker has its own metrics port, counted up: a shared port would show a random worker.
    let port = config.metricsPort && config.metricsPort + Math.max(0, workerNumber - 1)
    try {
      if (port) metrics = serveMetrics(app.metrics, { host: config.host, port })
      port = config.port
      const { host, tls } = config
      const shared = isWorker ? { isShared: true, waitForOtherProcesses: waitForAllPortsClosed } : {}
      const onError = (error: Error) => log.error('request failed outside a handler', { cause: error.stack })
      const where = { host, port, ...shared, tls, onDescriptorsExhausted: exhaustionLogger(log), onError }
      listening = listen(app.router.fetch, where, app.postHandlers)
    } catch (error) {
      await metrics?.stop()
      await app.close()
      throw new CommandError(listenErrorMessage(error, config.host, port), 1, error)
    }
    if (config.tls) reloadTlsOnSighup(listening, log)
    // One process of a machine is enough for the devices of a shop.
    if (workerNumber <= 1) {
      const onError = (error: Error) => log.error('request failed outside a handler', { cause: error.stack })
      await app.network.start((where) =>
        listen(app.router.fetch, { ...where, onError, isDirect: true }, app.postHandlers),
      )
    }
    const removeRecord = isWorker ? () => {} : recordServing(config.dataDir, listening.url)
    context.print(`listening on ${listening.url}`)
    // The service is already up; a database error here must not stop it.
    if (!isWorker) {
      await messages.reportDashboard(config.baseUrl || listening.url).catch((error) => {
        log.warn('cannot read whether an owner exists', { cause: String(error) })
      })
    }
    app.warmUp()
    void loadXlsxWriter()
    // One worker of a machine is enough to take over.
    const stopLeading = workerNumber <= 1 ? app.startLeading() : async () => {}
    const signal = await stopped
    log.info('stopping', { signal })
    removeRecord()
    app.startDraining()
    // Ctrl-C in a terminal does not wait for a load balancer.
    await Promise.all([listening.stop(signal === 'SIGTERM' ? config.drainMs : 0), stopLeading()])
    await metrics?.stop()
    await app.close()
    log.info('stopped')
    log.flush()
  },
})

/** Checked before the data folder is made: a name with a typing error leaves nothing behind. */
async function requireLocalHost(host: string): Promise<void> {
  try {
    await lookup(host)
  } catch (error) {
    throw new CommandError(
      `HOST is "${host}", which is no address of this machine: ${error instanceof Error ? error.message : String(error)}. Use an IP address such as 127.0.0.1 or 0.0.0.0.`,
      1,
      error,
    )
  }
}

/** An uncaught error ends the process, as by default, but with one JSON line instead of a stack trace. */
export function logUncaughtErrors(log: Log): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.error('uncaught error; exiting', { cause: error instanceof Error ? error.stack : String(error) })
      process.exit(1)
    })
  }
}

/** Changing the mode could lock out a backup that reads the folder as another user, so this only warns. */
function warnIfOthersCanRead(dataDir: string, log: Log): void {
  let mode: number
  try {
    mode = statSync(dataDir).mode
  } catch {
    // Missing or not a folder: opening the database reports it.
    return
  }
  if ((mode & 0o077) === 0) return
  const permissions = (mode & 0o777).toString(8)
  log.warn(`other users of this machine can open DATA_DIR (mode ${permissions}); run: chmod 700 ${dataDir}`, {
    mode: permissions,
  })
}

/** Loads a renewed certificate without downtime. If it cannot be used, the old one stays in use. */
function reloadTlsOnSighup(listening: RunningServer, log: Log): void {
  process.on('SIGHUP', () => {
    listening.reloadTls().then(
      () => log.info('TLS certificate reloaded'),
      (error) => log.error('cannot reload TLS certificate; the old one stays in use', { cause: String(error) }),
    )
  })
}

const EXHAUSTION_LOG_EVERY_MS = 10_000

/** Logs at most once per interval. */
function exhaustionLogger(log: Log): () => void {
  let notedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - notedAt < EXHAUSTION_LOG_EVERY_MS) return
    notedAt = now
    log.warn('no file descriptors left; idle connections were closed. Raise the limit of open files (ulimit -n)')
  }
}

function waitForStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
    endAtSecondInterrupt()
  })
}

function listenErrorMessage(error: unknown, host: string, port: number): string {
  const code = (error as { code?: string }).code
  if (code === 'EADDRINUSE') {
    return `Cannot listen on ${host}:${port}: another program already does. Stop it, or set PORT to a free port.`
  }
  if (code === 'EACCES') return `Cannot listen on ${host}:${port}: this user may not. Set PORT to 1024 or above.`
  return `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}. Check HOST and PORT.`
}
