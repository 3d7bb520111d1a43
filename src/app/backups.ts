import { mkdirSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config, Environment } from '../config.ts'
import { readTail, selfCommand } from '../lib/child-process.ts'
import { conflict } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { reason } from '../lib/reasons.ts'

const FILE = /^backup-[0-9TZ-]+\.db$/

export type Backups = ReturnType<typeof openBackups>

/** Backups of the embedded database that people start in the dashboard. Each runs as a process of its own. */
export function openBackups({
  config,
  environment,
  log,
}: {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>
  readonly environment: Environment
  readonly log: Log
}) {
  const folder = join(config.dataDir, 'backups')
  const isSupported = config.databaseUrl === ''
  let running: Bun.Subprocess | undefined
  let lastRun: Promise<void> = Promise.resolve()
  let failure: string | null = null

  async function run(file: string): Promise<void> {
    const child = Bun.spawn(selfCommand('backup', file, '--json'), {
      env: { ...environment, DATA_DIR: config.dataDir },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    running = child
    const [messages, code] = await Promise.all([readTail(child.stderr), child.exited])
    running = undefined
    failure = code === 0 ? null : (messages.trim().split('\n').at(-1) ?? `exit code ${code}`)
    if (code === 0) log.info('backup finished', { file })
    else log.warn('backup failed', { file, exit: code, cause: failure })
  }

  return {
    isSupported,
    folder,
    isBusy: () => running !== undefined,
    whenIdle: () => lastRun,
    failure: () => failure,

    /** Starts a backup and returns the name of its file; it is complete when it is no longer running. */
    start(now: number): string {
      if (!isSupported)
        throw conflict(
          'backup',
          'The database is PostgreSQL: use the command "backup" or pg_dump.',
          reason('backup_postgres'),
        )
      if (running) throw conflict('backup', 'A backup is running already.', reason('backup_running'))
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const name = `backup-${new Date(now).toISOString().replace(/[:.]/g, '-')}.db`
      lastRun = run(join(folder, name)).catch((error) => log.warn('backup failed', { cause: String(error) }))
      return name
    },

    /** Files of earlier backups, newest first. */
    async list(): Promise<{ readonly name: string; readonly bytes: number; readonly createdAt: number }[]> {
      const names = (await readdir(folder).catch(() => [])).filter((name) => FILE.test(name))
      const files = await Promise.all(
        names.map(async (name) => {
          const file = await stat(join(folder, name)).catch(() => undefined)
          return file ? { name, bytes: file.size, createdAt: file.mtimeMs } : []
        }),
      )
      return files.flat().sort((left, right) => right.createdAt - left.createdAt)
    },

    close(): void {
      running?.kill('SIGTERM')
    },
  }
}
