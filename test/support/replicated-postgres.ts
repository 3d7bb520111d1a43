import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, postgresBinaries } from './postgres.ts'
import { runProgram } from './program.ts'

type Server = 'primary' | 'standby'

export type ReplicatedPostgres = {
  readonly folder: string
  readonly ports: Readonly<Record<Server, number>>
  /** Runs commands as the user of a server, with its `PGDATA` and `PGPORT`; returns what they print. */
  shell(server: Server, commands: string): Promise<string>
  /** The machine of the primary is lost: its processes are killed and nothing is flushed. */
  killPrimary(): Promise<void>
  /** The standby accepts writes from now on. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** A primary with a synchronous standby; undefined where PostgreSQL is not installed. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres | undefined> {
  const bin = postgresBinaries()
  if (!bin) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'di-replicated-'))
  const isRoot = process.getuid?.() === 0
  const as = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  if (isRoot) {
    const owner = Number(Bun.spawnSync(['id', '-u', 'postgres']).stdout.toString())
    chownSync(folder, owner, owner)
  }
  const ports = { primary: await freePort(), standby: await freePort() }

  async function shell(server: Server, commands: string): Promise<string> {
    const environment = {
      PATH: `${bin}:${process.env.PATH}`,
      PGHOST: '127.0.0.1',
      PGUSER: 'postgres',
      PGDATA: join(folder, server),
      PGPORT: String(ports[server]),
    }
    const { code, stdout, stderr } = await runProgram(['-euc', commands], environment, [...as, 'bash'])
    if (code !== 0) throw new Error(`${commands}: ${code} ${stderr}`)
    return stdout.trim()
  }

  await shell('primary', 'initdb -A trust -U postgres > /dev/null')
  await shell('primary', `echo "unix_socket_directories = '${folder}'" >> $PGDATA/postgresql.conf`)
  await shell('primary', 'pg_ctl start -w -l $PGDATA/server.log > /dev/null 2>&1')
  await shell(
    'primary',
    `pg_basebackup -D ${folder}/standby -R -c fast -d "port=${ports.primary} application_name=standby"`,
  )
  await shell('standby', 'pg_ctl start -w -l $PGDATA/server.log > /dev/null 2>&1')
  await shell(
    'primary',
    `psql -qc "alter system set synchronous_standby_names = 'standby'" -c 'select pg_reload_conf()' > /dev/null`,
  )
  return {
    folder,
    ports,
    shell,
    killPrimary: async () => void (await shell('primary', 'kill -9 $(head -1 $PGDATA/postmaster.pid)')),
    promote: async () => void (await shell('standby', 'pg_ctl promote -w > /dev/null')),
    async stop() {
      for (const server of ['primary', 'standby'] as const)
        await shell(server, 'pg_ctl stop -m immediate > /dev/null 2>&1 || true')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
