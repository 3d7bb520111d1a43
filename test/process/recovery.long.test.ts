import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, postgresBinaries } from '../support/postgres.ts'
import { runProgram, startProgram } from '../support/program.ts'

/** Runs the commands of docs/reliability.md as written. */
const page = readFileSync(join(import.meta.dir, '../../docs/reliability.md'), 'utf8')
const section = page.slice(page.indexOf('### PostgreSQL'), page.indexOf('### SQLite'))
const [archive = '', baseBackup = '', recover = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text)

const bin = postgresBinaries()
const folder = mkdtempSync(join(tmpdir(), 'di-recovery-'))
const isRoot = process.getuid?.() === 0
let environment: Record<string, string>

/** Runs shell commands as the user of the database server; it refuses to run as root. */
async function shell(commands: string, more: Record<string, string> = {}): Promise<string> {
  const as = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  const { code, stdout, stderr } = await runProgram(['-euc', commands], { ...environment, ...more }, [...as, 'bash'])
  expect({ commands, code, stderr: code === 0 ? '' : stderr }).toEqual({ commands, code: 0, stderr: '' })
  return stdout.trim()
}

if (!bin) console.warn('No PostgreSQL here: recovery to a point in time is left out.')
else {
  beforeAll(async () => {
    const owner = Number(Bun.spawnSync(['id', '-u', 'postgres']).stdout.toString())
    if (isRoot) chownSync(folder, owner, owner)
    environment = {
      PATH: `${bin}:${process.env.PATH}`,
      PGDATA: join(folder, 'data'),
      BACKUP: join(folder, 'backup'),
      PGHOST: '127.0.0.1',
      PGPORT: String(await freePort()),
      PGUSER: 'postgres',
    }
    await shell('initdb -A trust -U postgres > /dev/null')
    await shell(`echo "unix_socket_directories = '${folder}'" >> $PGDATA/postgresql.conf`)
    await shell('pg_ctl start -w -l $PGDATA/server.log > /dev/null 2>&1')
  }, 240_000)
  afterAll(async () => {
    await shell('pg_ctl stop -m immediate').catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }, 240_000)

  test('the commands of the page restore a database to a point in time, and the service starts on it', async () => {
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${environment.PGPORT}/postgres`
    const settings = { DATABASE_URL, DATA_DIR: join(folder, 'service'), SAMPLE_DATA: 'off', SECRET_KEY: 'k'.repeat(32) }
    const createOrganization = async (name: string) =>
      expect((await runProgram(['org', 'create', name], settings)).code).toBe(0)
    await shell(`(${archive}) > /dev/null 2>&1`)
    await createOrganization('Before the base backup')
    await shell(baseBackup)
    await createOrganization('Before the mistake')
    const TARGET_TIME = await shell('psql -Atc "select clock_timestamp()"')
    await createOrganization('The mistake')
    await shell(`(${recover}) > /dev/null 2>&1`, { TARGET_TIME })

    const program = await startProgram(settings)
    const { stdout } = await runProgram(['org', 'list', '--json'], settings)
    const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(['Before the base backup', 'Before the mistake'])
    await createOrganization('After the recovery')
    await program.stop()
  }, 240_000)
}
