import { afterAll, expect, test } from 'bun:test'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { fill } from '../support/filled-database.ts'
import { freePort } from '../support/postgres.ts'
import { runProgram, startProgram } from '../support/program.ts'
import { startReplicatedPostgres } from '../support/replicated-postgres.ts'
import { waitUntil } from '../support/wait.ts'

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

/** Behind an address that is moved to the standby when the primary is lost. */
const servers = await startReplicatedPostgres()
if (!servers) console.warn('No PostgreSQL here: failover is left out.')
else {
  const { folder, ports, shell } = servers
  afterAll(() => servers.stop(), 240_000)

  test('after a failover to a promoted standby every acknowledged lookup is there, and the service recovers by itself', async () => {
    let target: number = ports.primary
    const address = await freePort()
    const { server, sockets } = openAddress(address, () => target)
    const settings = {
      DATABASE_URL: `postgres://postgres@127.0.0.1:${address}/postgres`,
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
    await servers.killPrimary()
    await servers.promote()
    target = ports.standby
    for (const socket of sockets) socket.destroy()
    const before = acknowledged.length
    await waitUntil(() => acknowledged.length >= before + 200, { describe: '200 lookups after the failover' })
    isDone = true
    await Promise.all(senders)

    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
    const stored = await shell('standby', `psql -Atc 'select id from lookup'`)
    const ids = new Set(stored.split('\n'))
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    console.log(`failover: ${acknowledged.length} acknowledged, 0 lost; responses ${JSON.stringify([...statuses])}`)
    expect(await program.stop()).toBe(0)
    server.close()
  }, 240_000)
}
