import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from '../support/filled-database.ts'
import { freePort, postgresBinaries } from '../support/postgres.ts'
import { runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

/** A primary with a synchronous standby, behind an address that is moved to the standby when the primary is lost. */
const bin = postgresBinaries()
const folder = mkdtempSync(join(tmpdir(), 'di-failover-'))
const isRoot = process.getuid?.() === 0
let ports: { primary: number; standby: number; address: number }

async function shell(commands: string, more: Record<string, string> = {}): Promise<string> {
  const as = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  const environment = { PATH: `${bin}:${process.env.PATH}`, PGHOST: '127.0.0.1', PGUSER: 'postgres', ...more }
  const { code, stdout, stderr } = await runProgram(['-euc', commands], environment, [...as, 'bash'])
  expect({ commands, code, stderr: code === 0 ? '' : stderr }).toEqual({ commands, code: 0, stderr: '' })
  return stdout.trim()
}

const primary = () => ({ PGDATA: join(folder, 'primary'), PGPORT: String(ports.primary) })
const standby = () => ({ PGDATA: join(folder, 'standby'), PGPORT: String(ports.standby) })

/** Forwards connections; `target` may change. */
function openAddress(port: number, target: () => number): { server: Server; sockets: Set<Socket> } {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target(), '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  }).listen(port, '127.0.0.1')
  return { server, sockets }
}

if (!bin) console.warn('No PostgreSQL here: failover is left out.')
else {
  beforeAll(async () => {
    const owner = Number(Bun.spawnSync(['id', '-u', 'postgres']).stdout.toString())
    if (isRoot) chownSync(folder, owner, owner)
    ports = { primary: await freePort(), standby: await freePort(), address: await freePort() }
    await shell('initdb -A trust -U postgres > /dev/null', primary())
    await shell(`echo "unix_socket_directories = '${folder}'" >> $PGDATA/postgresql.conf`, primary())
    await shell('pg_ctl start -w -l $PGDATA/server.log > /dev/null 2>&1', primary())
    await shell(
      `pg_basebackup -D ${folder}/standby -R -c fast -d "port=${ports.primary} application_name=standby"`,
      primary(),
    )
    await shell('pg_ctl start -w -l $PGDATA/server.log > /dev/null 2>&1', standby())
    await shell(
      `psql -qc "alter system set synchronous_standby_names = 'standby'" -c 'select pg_reload_conf()' > /dev/null`,
      primary(),
    )
  }, 240_000)
  afterAll(async () => {
    for (const server of [primary(), standby()])
      await shell('pg_ctl stop -m immediate > /dev/null 2>&1 || true', server)
    rmSync(folder, { recursive: true, force: true })
  }, 240_000)

  test('after a failover to a promoted standby every acknowledged lookup is there, and the service recovers by itself', async () => {
    let target = ports.primary
    const { server, sockets } = openAddress(ports.address, () => target)
    const settings = {
      DATABASE_URL: `postgres://postgres@127.0.0.1:${ports.address}/postgres`,
      DATA_DIR: join(folder, 'service'),
      SAMPLE_DATA: 'off',
      RATE_LIMIT_ENTERPRISE: '10000000',
    }
    await fill({ url: settings.DATABASE_URL, dataDir: settings.DATA_DIR }, 'small')
    const program = await startProgram(settings)
    const organization = (await runProgram(['org', 'create', 'Failover'], settings)).stdout.trim()
    const created = await runProgram(['key', 'create', '--org', organization, '--tier', 'enterprise'], settings)
    const headers = { Authorization: `Bearer ${created.stdout.trim()}`, 'Content-Type': 'application/json' }
    const acknowledged: string[] = []
    const statuses = new Map<number, number>()
    let isDone = false
    let sent = 0
    const senders = Array.from({ length: 4 }, async () => {
      while (!isDone) {
        const body = JSON.stringify({ identifier: String(35_000_000_000_000 + sent++ * 7_919) })
        const response = await fetch(`${program.url}/api/imei`, { method: 'POST', headers, body })
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        const text = await response.text()
        if (response.status === 200) acknowledged.push(JSON.parse(text).data.lookup_id)
      }
    })
    await waitUntil(() => acknowledged.length >= 200, { describe: '200 lookups before the failover' })
    // The machine of the primary is lost: its processes are killed and nothing is flushed.
    await shell('kill -9 $(head -1 $PGDATA/postmaster.pid)', primary())
    await shell('pg_ctl promote -w > /dev/null', standby())
    target = ports.standby
    for (const socket of sockets) socket.destroy()
    const before = acknowledged.length
    await waitUntil(() => acknowledged.length >= before + 200, { describe: '200 lookups after the failover' })
    isDone = true
    await Promise.all(senders)

    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
    const stored = await shell(`psql -Atc 'select id from lookup'`, { ...standby() })
    const ids = new Set(stored.split('\n'))
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    console.log(`failover: ${acknowledged.length} acknowledged, 0 lost; responses ${JSON.stringify([...statuses])}`)
    expect(await program.stop()).toBe(0)
    server.close()
  }, 240_000)
}
