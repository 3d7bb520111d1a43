import { sql } from 'kysely'
import { effectiveFeeds, listFeedOverviews } from '../app/feeds.ts'
import { baseUrlOf } from '../config.ts'
import { type Database, mayBeOpenElsewhere } from '../db/database.ts'
import { listNewestRuns } from '../import/import-run-store.ts'
import { presentFeed, presentImportRun } from '../import/present-import.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { VERSION } from '../lib/version.ts'
import { command, flag } from './command.ts'
import { CommandError, DatabaseNotFoundError } from './command-error.ts'
import { checkDatabase, checkOutput } from './database-check.ts'
import { readServing } from './serving-file.ts'
import { storedSettings } from './stored-settings.ts'
import { feedTable, importTable } from './tables.ts'

const SHOWN_IMPORTS = 5
const COUNTED_TABLES = ['organization', 'api_key', 'device', 'variant', 'tac'] as const

export const status = command({
  name: 'status',
  help: 'Show service health, database in use, row counts and recent imports.',
  options: {
    check: flag(
      'check every page, reference and total of the database and count its rows; exit code 1 if one is wrong',
    ),
    ready: flag('only report by the exit code whether the service responds: for health checks of containers'),
  },
  json: true,
  async run({ ready, check }, context) {
    if (check) return checkOutput(await checkDatabase(context.config))
    // The address it listens on, not its public URL: there may be a proxy in between.
    const localUrl = baseUrlOf({ ...context.config, baseUrl: '' })
    if (ready) return { exitCode: (await isReachable(`${localUrl}/readyz`, ANY_CERTIFICATE)) ? 0 : 1 }
    const { databaseUrl, dataDir, port } = context.config
    const configuredUrl = baseUrlOf(context.config)
    const isResponding = await isReachable(`${configuredUrl}/readyz`)
    // Checked before this command opens the database itself.
    const isOpen = mayBeOpenElsewhere({ url: databaseUrl, dataDir })
    const recordedUrl = isOpen ? readServing(dataDir) : undefined
    const isOnOtherPort =
      recordedUrl !== undefined &&
      !isSamePort(recordedUrl, port) &&
      (await isReachable(`${recordedUrl}/readyz`, ANY_CERTIFICATE))
    const url = isOnOtherPort ? recordedUrl : configuredUrl
    const serving = isOnOtherPort || (isResponding && isOpen)
    const elsewhere = `A service responds at ${configuredUrl}, with another database.`
    const db = await context.openExistingDatabase().catch((error) => {
      throw error instanceof DatabaseNotFoundError && isResponding
        ? new CommandError(`${error.message} ${elsewhere}`)
        : error
    })
    if (isResponding && (!serving || isOnOtherPort)) context.report(elsewhere)
    if (isOnOtherPort) context.report(`This database is served at ${url}; PORT here is ${port}.`)
    const state = {
      version: VERSION,
      url,
      serving,
      database: db.admin.dialect,
      data_dir: db.admin.dialect === 'sqlite' ? dataDir : null,
      mail: context.config.smtpUrl ? `from ${context.config.smtpFrom}` : 'not configured',
      ...(await countRows(db)),
    }
    const imports = (await listNewestRuns(db, SHOWN_IMPORTS)).map((run) => presentImportRun(run, true))
    const overviews = await listFeedOverviews(db, effectiveFeeds(await storedSettings(db, context)))
    const feeds = overviews.map((feed) => presentFeed(feed, true))
    const rows = Object.entries(state).map(([name, value]) => [name.replaceAll('_', ' '), String(value ?? '-')])
    const tables = [
      formatTextTable(['NAME', 'VALUE'], rows),
      ...(imports.length > 0 ? [importTable(imports)] : []),
      ...(feeds.length > 0 ? [feedTable(feeds)] : []),
    ]
    return {
      json: { ...state, imports, feeds },
      text: tables.join('\n\n'),
    }
  },
})

async function countRows(db: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of COUNTED_TABLES) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db.query)
    counts[name] = Number(rows[0]?.count ?? 0)
  }
  return counts
}

const isSamePort = (url: string, port: number) =>
  (new URL(url).port || (url.startsWith('https') ? '443' : '80')) === String(port)

/** The machine's own address is in no certificate. */
const ANY_CERTIFICATE = { tls: { rejectUnauthorized: false } }

async function isReachable(url: string, options: BunFetchRequestInit = {}): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(10_000), ...options })).ok
  } catch {
    return false
  }
}
