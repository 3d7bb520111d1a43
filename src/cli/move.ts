import { closeSync, mkdirSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { type DatabaseOptions, databaseExists, openDatabase, sqlitePath } from '../db/database.ts'
import { moveDatabase, OtherMoveInProgress, SOURCE_KEY, type TableChecksum } from '../db/move/database-move.ts'
import type { MoveEndpoint } from '../db/move/move-endpoint.ts'
import { openPostgresEndpoint } from '../db/move/postgres-endpoint.ts'
import { openSqliteEndpoint } from '../db/move/sqlite-endpoint.ts'
import { createProgress } from '../import/progress-service.ts'
import { formatNumberTable } from '../lib/text-table.ts'
import { isoInstant } from '../lib/time.ts'
import { type CommandOption, command, flag, optional } from './command.ts'
import { CommandError, DatabaseNotFoundError } from './command-error.ts'

const TARGET: CommandOption<DatabaseOptions> = {
  placeholder: 'postgres://…|FOLDER',
  accepts: 'an address that begins with postgres://, or a folder',
  parse(value) {
    if (/^postgres(ql)?:\/\//.test(value)) return { url: value, dataDir: '' }
    return /^\w+:\/\//.test(value) ? undefined : { url: '', dataDir: resolve(value) }
  },
}

export const move = command({
  name: 'move',
  help: 'Copy the database into an empty PostgreSQL, or into a folder as an embedded one, compare both and make the old one read-only.',
  options: {
    to: optional(TARGET),
    reopen: flag('instead: let a database that was moved away accept writes again'),
  },
  json: true,
  notes: [
    'The service may run: reads continue all the time; writes continue until the last part, then get 503.',
    'An interrupted move continues when it is run again. Afterwards set DATABASE_URL or DATA_DIR and restart the service.',
  ],
  async run({ to, reopen }, { config, report, now }) {
    const from: DatabaseOptions = { url: config.databaseUrl, dataDir: config.dataDir }
    if ((to === undefined) !== reopen) throw new CommandError('Give --to or --reopen.', 2)
    if (to === undefined) {
      if (!(await databaseExists(from))) throw new DatabaseNotFoundError(from)
      await using endpoint = await openEndpoint(from)
      await endpoint.reopenForWrites()
      report('The database accepts writes again. It lacks what was written to the other one since the move.')
      return undefined
    }
    if (nameOf(from) === nameOf(to)) throw new CommandError('The database is already there.')
    if (!(await databaseExists(from))) throw new DatabaseNotFoundError(from)
    // Migrates the source to the schema of this program.
    const db = await openDatabase({ ...from, allowDuringMove: true })
    const progress = createProgress('move', process.stderr)
    let copied = 0
    const moveAll = async () => {
      await using target = await openTarget(from, to)
      await using source = await openEndpoint(from)
      return await moveDatabase(source, target, {
        sourceName: nameOf(from),
        movedMessage: `The database was moved to ${nameOf(to)} at ${isoInstant(now())}.`,
        onProgress(step, _table, rows) {
          if (step === 'copy') copied += rows
          if (step === 'writers wait') {
            progress.clear()
            report('Everything is copied. Writes now wait while the latest changes are copied and both are compared.')
          }
          progress.at(copied, 0, null)
        },
      })
    }
    try {
      // A second move would delete what the service writes to the target after the first has ended.
      const checksums = await db.withLock('store-move', moveAll, () => {
        throw new CommandError(`Another "move" from ${nameOf(from)} is running. Wait for it, or stop it first.`)
      })
      progress.clear()
      report(
        `Moved to ${nameOf(to)}. Set ${to.url ? 'DATABASE_URL' : 'DATA_DIR'} and restart the service; until then it only reads.`,
      )
      return { json: { to: nameOf(to), tables: checksums }, text: checksumTable(checksums) }
    } catch (error) {
      if (error instanceof OtherMoveInProgress)
        throw new CommandError(`${nameOf(to)} is being filled from ${error.message}, not from here.`, 1, error)
      throw error
    } finally {
      progress.clear()
      await db.close()
    }
  },
})

/**
 * Opens the target with its tables. Before anything is written to it, it must be empty or the target of an earlier run of the
 * same move.
 */
async function openTarget(from: DatabaseOptions, to: DatabaseOptions): Promise<MoveEndpoint> {
  if (!(await databaseExists(to)) && !to.url) {
    mkdirSync(to.dataDir, { recursive: true, mode: 0o700 })
    closeSync(openSync(sqlitePath(to.dataDir), 'a', 0o600))
  }
  const target = await openEndpoint(to)
  try {
    if ((await target.getProgress(SOURCE_KEY)) === undefined) {
      if ((await target.tables()).length > 0)
        throw new CommandError(`There is already a database in ${nameOf(to)}. A move needs an empty target.`)
      await target.setProgress(SOURCE_KEY, nameOf(from))
    }
    await (await openDatabase({ ...to, allowDuringMove: true })).close()
    return target
  } catch (error) {
    await target.close()
    throw error
  }
}

const openEndpoint = ({ url, dataDir }: DatabaseOptions): Promise<MoveEndpoint> | MoveEndpoint =>
  url ? openPostgresEndpoint(url) : openSqliteEndpoint(sqlitePath(dataDir))

/** Without user and password: it is shown, and stored in both databases. */
function nameOf({ url, dataDir }: DatabaseOptions): string {
  if (!url) return dataDir
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

function checksumTable(checksums: readonly TableChecksum[]): string {
  const rows = checksums.map(({ table, rows, checksum }) => [table, rows.toLocaleString('en'), checksum])
  return formatNumberTable(['table', 'rows', 'checksum'], rows)
}
