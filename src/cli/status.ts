import { sql } from 'kysely'
import { listFeedOverviews, loadFeeds } from '../app/feeds.ts'
import { baseUrlOf } from '../config.ts'
import { mayBeOpenElsewhere } from '../db/database.ts'
import { type ImportRun, listNewestRuns } from '../import/import-run-store.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { formatMinute, isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { VERSION } from '../lib/version.ts'
import { type Command, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { DatabaseNotFoundError } from './database-not-found.ts'
import { feedTable } from './feed-table.ts'
import { presentFeed } from './present.ts'
import { readServing } from './serving-file.ts'

const SHOWN_IMPORTS = 5
const COUNTED_TABLES = ['organization', 'api_key', 'device', 'variant', 'tac'] as const

export const status: Command = {
  name: 'status',
  usage: '[--json | --ready]',
  help: 'Show service health, database in use, row counts and recent imports.',
  details: '--ready  only check whether the service here responds, by the exit code: for health checks of containers',
  async run(args, context) {
    const { values } = parseArguments(
      args,
      { json: { type: 'boolean' }, ready: { type: 'boolean' } },
      { least: 0, most: 0, usage: 'status [--json | --ready]' },
    )
    // Where it listens, not its public URL: between the two there may be a proxy.
    if (values.ready)
      return (await isReachable(`${baseUrlOf({ ...context.config, baseUrl: '' })}/readyz`, ANY_CERTIFICATE)) ? 0 : 1
    const { databaseUrl, dataDir } = context.config
    const configuredUrl = baseUrlOf(context.config)
    const answering = await isReachable(`${configuredUrl}/readyz`)
    // Checked before this command opens the database itself.
    const isOpen = mayBeOpenElsewhere({ url: databaseUrl, dataDir })
    const recordedUrl = isOpen ? readServing(dataDir) : undefined
    const isOnOtherPort =
      recordedUrl !== undefined &&
      !isSamePort(recordedUrl, context.config.port) &&
      (await isReachable(`${recordedUrl}/readyz`, ANY_CERTIFICATE))
    const url = isOnOtherPort ? recordedUrl : configuredUrl
    const serving = isOnOtherPort || (answering && isOpen)
    const elsewhere = `A service responds at ${configuredUrl}, with another database.`
    const store = await context.openExistingDatabase().catch((error) => {
      throw error instanceof DatabaseNotFoundError && answering
        ? new CommandError(`${error.message} ${elsewhere}`)
        : error
    })
    if (answering && (!serving || isOnOtherPort)) context.report(elsewhere)
    if (isOnOtherPort) context.report(`This database is served at ${url}; PORT here is ${context.config.port}.`)
    const counts: Record<string, number> = {}
    for (const name of COUNTED_TABLES) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
        store.query,
      )
      counts[name] = Number(rows[0]?.count ?? 0)
    }
    const state = {
      version: VERSION,
      url,
      serving,
      store: store.dialect,
      data_dir: store.dialect === 'sqlite' ? dataDir : null,
      ...counts,
    }
    const imports = await listNewestRuns(store, SHOWN_IMPORTS)
    const file = await loadFeeds(context.config.feedsFile, context.environment)
    for (const mistake of file.errors) context.report(mistake)
    const feeds = await listFeedOverviews(store, file.feeds)
    if (values.json) {
      context.print(JSON.stringify({ ...state, imports: imports.map(presentRun), feeds: feeds.map(presentFeed) }))
    } else {
      const rows = Object.entries(state).map(([name, value]) => [name.replaceAll('_', ' '), String(value ?? '-')])
      context.print(formatTextTable(['WHAT', 'NOW'], rows))
      if (imports.length > 0) {
        context.print(
          `\n${formatTextTable(['IMPORT', 'STARTED', 'TOOK', 'STATE', 'FILE', 'RESULT'], imports.map(runCells))}`,
        )
      }
      if (feeds.length > 0) context.print(`\n${feedTable(feeds)}`)
    }
    return 0
  },
}

function presentRun(run: ImportRun) {
  return {
    format: run.format,
    file: run.file,
    started_at: isoInstant(run.startedAt),
    finished_at: isoInstantOrNull(run.finishedAt),
    state: run.state,
    figures: run.figures,
    failure: run.failure,
  }
}

function runCells(run: ImportRun): string[] {
  const started = `${formatMinute(run.startedAt)} UTC`
  const took = run.finishedAt === null ? '-' : `${((run.finishedAt - run.startedAt) / 1000).toFixed(1)} s`
  const { rows = 0, rejected = 0 } = run.figures
  const counted = `${rows.toLocaleString('en')} rows, ${rejected.toLocaleString('en')} rejected`
  const result = run.state === 'done' ? counted : (run.failure ?? '-')
  return [run.format, started, took, run.state, run.file, result]
}

const isSamePort = (url: string, port: number) =>
  (new URL(url).port || (url.startsWith('https') ? '443' : '80')) === String(port)

/** For this machine's own address, which no certificate names. */
const ANY_CERTIFICATE = { tls: { rejectUnauthorized: false } }

async function isReachable(url: string, how: BunFetchRequestInit = {}): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(10_000), ...how })).ok
  } catch {
    return false
  }
}
