import { closeSync, mkdirSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { type DatabaseOptions, databaseExists, openDatabase, sqlitePath } from '../db/database.ts'
import { moveDatabase, type TableChecksum } from '../db/move/database-move.ts'
import type { MoveEndpoint } from '../db/move/move-endpoint.ts'
import { openPostgresEndpoint } from '../db/move/postgres-endpoint.ts'
import { openSqliteEndpoint } from '../db/move/sqlite-endpoint.ts'
import { createProgress } from '../import/progress-service.ts'
import { LEADER_LOCK } from '../jobs/leader-lock-service.ts'
import { describeHosts } from '../lib/host-list.ts'
import { firstHost } from '../lib/postgres-hosts.ts'
import { formatNumberTable } from '../lib/text-table.ts'
import { isoInstant } from '../lib/time.ts'
import { cleaningUpOnSignal } from './clean-up-on-signal.ts'
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
    'Stop the service first. Afterwards set DATABASE_URL or DATA_DIR and start it.',
    'An interrupted move leaves the old database as it was; run it again to start from the beginning.',
  ],
  async run({ to, reopen }, { config, report, now }) {
    const from: DatabaseOptions = { url: config.databaseUrl, dataDir: config.dataDir }
    if ((to === undefined) !== reopen) throw new CommandError('Give --to or --reopen.', 2)
    if (!(await databaseExists(from))) throw new DatabaseNotFoundError(from)
    if (to === undefined) {
      await using endpoint = await openEndpoint(from)
      await endpoint.reopenForWrites()
      report('The database accepts writes again. It lacks what was written to the other one since the move.')
      return undefined
    }
    if (nameOf(from) === nameOf(to)) throw new CommandError('--to names the database that is already in use.')
    const progress = createProgress('move', process.stderr)
    try {
      const move = () =>
        whileStopped(from, async () => {
          await using target = await openTarget(to)
          return await whileStopped(to, async () => {
            await using source = await openEndpoint(from)
            return await moveDatabase(source, target, {
              movedMessage: `The database was moved to ${nameOf(to)} at ${isoInstant(now())}.`,
              onProgress: (done, total) => progress.at(Math.ceil(done / 2), done, total),
            })
          })
        })
      const sentence = 'Stopped. The move is not complete; the same command starts it from the beginning.'
      const checksums = await cleaningUpOnSignal({ cleanUp: progress.clear, sentence }, move)
      progress.clear()
      report(`Moved to ${nameOf(to)}. Set ${to.url ? 'DATABASE_URL' : 'DATA_DIR'} and start the service.`)
      return { json: { to: nameOf(to), tables: checksums }, text: checksumTable(checksums) }
    } finally {
      progress.clear()
    }
  },
})

/** Runs `work` if no service and no other move uses the database; none can start until it ends. */
export async function whileStopped<T>(options: DatabaseOptions, work: () => Promise<T>): Promise<T> {
  // Migrates the database to the schema of this program.
  const db = await openDatabase({ ...options, allowDuringMove: true })
  try {
    return await db.withLock(LEADER_LOCK, work, () => {
      throw new CommandError(`A service or another move uses ${nameOf(options)}. Stop it first.`)
    })
  } finally {
    await db.close()
  }
}

/** Opens a target that is empty, or was filled by an earlier move that did not end. Writes nothing to any other. */
export async function openTarget(to: DatabaseOptions): Promise<MoveEndpoint> {
  if (!to.url && !(await databaseExists(to))) {
    mkdirSync(to.dataDir, { recursive: true, mode: 0o700 })
    closeSync(openSync(sqlitePath(to.dataDir), 'a', 0o600))
  }
  const target = await openEndpoint(to)
  try {
    if (!(await target.isFilling()) && (await target.tables()).length > 0)
      throw new CommandError(`There is already a database in ${nameOf(to)}. The target must be empty.`)
    await target.startFilling()
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
  return `postgres://${describeHosts(url)}${firstHost(url).pathname}`
}

function checksumTable(checksums: readonly TableChecksum[]): string {
  const rows = checksums.map(({ table, rows, checksum }) => [table, rows.toLocaleString('en'), checksum])
  return formatNumberTable(['table', 'rows', 'checksum'], rows)
}
