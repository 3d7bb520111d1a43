import { resolve } from 'node:path'
import { type DatabaseOptions, databaseExists, openDatabase, sqlitePath } from '../db/database.ts'
import { moveDatabase, OtherMoveInProgress, type TableChecksum } from '../db/move/database-move.ts'
import type { MoveEndpoint } from '../db/move/move-endpoint.ts'
import { openPostgresEndpoint } from '../db/move/postgres-endpoint.ts'
import { openSqliteEndpoint } from '../db/move/sqlite-endpoint.ts'
import { createProgress } from '../import/progress-service.ts'
import { formatNumberTable } from '../lib/text-table.ts'
import { isoInstant } from '../lib/time.ts'
import { type Command, parseArguments, requireOption } from './command.ts'
import { CommandError } from './command-error.ts'
import { DatabaseNotFoundError } from './database-not-found.ts'

const USAGE = 'store move --to postgres://…|FOLDER [--json]'

export const dbMove: Command = {
  name: 'store move',
  usage: '--to postgres://…|FOLDER [--json]',
  help: 'Copy the store into an empty PostgreSQL, or into a folder as an embedded one, compare both and seal the old one.',
  details: [
    'The service may run: reads go on all the time, writes until the last part, then they are answered with 503.',
    'Run again after it was cut off, it goes on where it was. Afterwards set DATABASE_URL or DATA_DIR and restart the service.',
  ].join('\n'),
  async run(args, { config, print, report: tell, now }) {
    const { values } = parseArguments(
      args,
      { to: { type: 'string' }, json: { type: 'boolean' } },
      { least: 0, most: 0, usage: USAGE },
    )
    const here: DatabaseOptions = { url: config.databaseUrl, dataDir: config.dataDir }
    const there = parseTarget(requireOption(values.to, 'to', USAGE))
    if (nameOf(here) === nameOf(there)) throw new CommandError('The store is there already.')
    if (!(await databaseExists(here))) throw new DatabaseNotFoundError(here)
    const isNew = !(await databaseExists(there))
    // Both are brought to this program's schema first.
    for (const opening of [here, there]) await (await openDatabase({ ...opening, allowDuringMove: true })).close()

    const source = await openSide(here)
    const target = await openSide(there)
    const progress = createProgress('move', process.stderr)
    let copied = 0
    try {
      if (!isNew && (await target.getProgress('from')) === undefined)
        throw new CommandError(`There is a store in ${nameOf(there)} already. A move needs an empty place.`)
      const sums = await moveDatabase(source, target, {
        sourceName: nameOf(here),
        movedMessage: `The store was moved to ${nameOf(there)} at ${isoInstant(now())}.`,
        onProgress(what, _table, rows) {
          if (what === 'copy') copied += rows
          if (what === 'writers wait') {
            progress.clear()
            tell(
              'Everything is copied. Writes wait now, while what came meanwhile is copied and both sides are compared.',
            )
          }
          progress.at(copied, 0, null)
        },
      })
      progress.clear()
      print(values.json ? JSON.stringify({ to: nameOf(there), tables: sums }) : table(sums))
      tell(
        `Moved to ${nameOf(there)}. Set ${there.url ? 'DATABASE_URL' : 'DATA_DIR'} and restart the service; until then it only reads.`,
      )
      return 0
    } catch (error) {
      progress.clear()
      if (error instanceof OtherMoveInProgress)
        throw new CommandError(`${nameOf(there)} is being filled from ${error.message}, not from here.`, 1, error)
      throw error
    } finally {
      await source.close()
      await target.close()
    }
  },
}

export const dbReopen: Command = {
  name: 'store reopen',
  usage: '',
  help: 'Let a store that was moved away take writes again, when the other one is not to be used after all.',
  async run(args, { config, report: tell }) {
    parseArguments(args, {}, { least: 0, most: 0, usage: 'store reopen' })
    const here: DatabaseOptions = { url: config.databaseUrl, dataDir: config.dataDir }
    if (!(await databaseExists(here))) throw new DatabaseNotFoundError(here)
    const side = await openSide(here)
    await side.reopenForWrites().finally(side.close)
    tell('The store takes writes again. What was written to the other one since is not in it.')
    return 0
  },
}

const openSide = ({ url, dataDir }: DatabaseOptions): Promise<MoveEndpoint> | MoveEndpoint =>
  url ? openPostgresEndpoint(url) : openSqliteEndpoint(sqlitePath(dataDir))

function parseTarget(to: string): DatabaseOptions {
  if (/^postgres(ql)?:\/\//.test(to)) return { url: to, dataDir: '' }
  if (/^\w+:\/\//.test(to))
    throw new CommandError(`--to takes an address that begins with postgres://, or a folder. Usage: ${USAGE}`, 2)
  return { url: '', dataDir: resolve(to) }
}

/** Without user and password: it is shown, and kept in both stores. */
function nameOf({ url, dataDir }: DatabaseOptions): string {
  if (!url) return dataDir
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

function table(sums: readonly TableChecksum[]): string {
  return formatNumberTable(
    ['table', 'rows', 'checksum'],
    sums.map(({ table, rows, checksum }) => [table, rows.toLocaleString('en'), checksum]),
  )
}
