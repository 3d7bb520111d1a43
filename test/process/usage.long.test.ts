import { afterAll, describe, expect, test } from 'bun:test'
import { connect, createServer, type Server } from 'node:net'
import { type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { onBothDatabases } from '../support/databases.ts'
import { type RunningProgram, runInProcess, shownKeys, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

async function counted({ url, dataDir }: DatabaseOptions): Promise<number> {
  const db = await openDatabase({ url, dataDir })
  const rows = await db.query.selectFrom('usage_count').select('count').where('route', '=', '/api/devices').execute()
  await db.close()
  return rows.reduce((sum, row) => sum + row.count, 0)
}

function start({ url, dataDir }: DatabaseOptions): Promise<RunningProgram> {
  return startProgram({
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PUBLIC: '1000000',
    BASE_URL: 'http://usage.test',
  })
}

async function sendRequests(program: RunningProgram, key: string, times: number): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` }
  const responses = await Promise.all(
    Array.from({ length: times }, () => fetch(`${program.url}/api/devices?limit=1`, { headers })),
  )
  expect(responses.every(({ status }) => status === 200)).toBe(true)
}

/** A member who views the usage of the first organization; counts are written before they are shown. */
async function usageReader(program: RunningProgram, name: string): Promise<() => Promise<number>> {
  const [demo] = JSON.parse((await runInProcess(['org', 'list', '--json'], program.environment)).stdout)
  const args = ['user', 'create', '--email', `${name}@example.test`, '--org', demo.id]
  const link = (await runInProcess(args, program.environment)).stdout.trim()
  const joined = await fetch(`${program.url}/account/link/use`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: 'http://usage.test' },
    body: JSON.stringify({ token: link.split('#').at(-1), password: 'correct horse battery' }),
  })
  expect(joined.status).toBe(200)
  const cookie = joined.headers.get('set-cookie')?.split(';')[0] ?? ''
  return async () => {
    const shown = await fetch(`${program.url}/api/usage?include=keys`, {
      headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'X-Requested-With': 'dashboard' },
    })
    const { data } = (await shown.json()) as {
      data: { by_key: { rows: { endpoint: string; requests: number }[] } }
    }
    return data.by_key.rows
      .filter(({ endpoint }) => endpoint === '/api/devices')
      .reduce((sum, { requests }) => sum + requests, 0)
  }
}

onBothDatabases((store) => {
  test('usage is exact after a clean stop, over two starts', async () => {
    const opening = await store.open()
    let key = ''
    for (const expected of [25, 50]) {
      const program = await start(opening)
      key ||= shownKeys(program.stderr()).public
      await sendRequests(program, key, 25)
      expect(await program.stop()).toBe(0)
      expect(await counted(opening)).toBe(expected)
    }
  })

  test('kill -9 loses only unwritten counts, and written counts are counted once', async () => {
    const opening = await store.open()
    let program = await start(opening)
    const key = shownKeys(program.stderr()).public
    const usage = await usageReader(program, 'first')
    await sendRequests(program, key, 25)
    expect(await usage()).toBe(25)
    await sendRequests(program, key, 10)
    program.kill('SIGKILL')
    await program.exited
    const left = await counted(opening)
    // The periodic write may have happened in between.
    expect(left).toBeGreaterThanOrEqual(25)
    expect(left).toBeLessThanOrEqual(35)

    program = await start(opening)
    await sendRequests(program, key, 5)
    expect(await program.stop()).toBe(0)
    expect(await counted(opening)).toBe(left + 5)
  })

  test('killed at any moment of a write under load, no request counts twice and none that was shown is lost', async () => {
    const opening = await store.open()
    let program = await start(opening)
    const key = shownKeys(program.stderr()).public
    let before = 0
    for (const requests of [30, 150, 400]) {
      const usage = await usageReader(program, `round-${requests}`)
      let sent = 0
      let shown = before
      let alive = true
      const load = Array.from({ length: 6 }, async () => {
        while (alive) {
          sent++
          await fetch(`${program.url}/api/devices?limit=1`, { headers: { Authorization: `Bearer ${key}` } }).catch(
            () => {},
          )
        }
      })
      const reading = (async () => {
        while (alive) shown = await usage().catch(() => shown)
      })()
      await waitUntil(() => sent >= requests, { describe: 'requests before the kill', everyMs: 1 })
      program.kill('SIGKILL')
      await program.exited
      alive = false
      await Promise.all([...load, reading])
      const left = await counted(opening)
      expect(left).toBeGreaterThanOrEqual(shown)
      expect(left).toBeLessThanOrEqual(before + sent)
      before = left
      program = await start(opening)
    }
    expect(await program.stop()).toBe(0)
    expect(await counted(opening)).toBe(before)
  })

  if (store.name !== 'PostgreSQL') return
  describe('when PostgreSQL commits and its response is lost', () => {
    let proxy: CommitLoser | undefined
    afterAll(() => proxy?.stop())

    test('the requests in it count once', async () => {
      const opening = await store.open()
      proxy = await loseCommits(opening.url)
      const program = await start({ ...opening, url: proxy.url })
      const key = shownKeys(program.stderr()).public
      const usage = await usageReader(program, 'through-the-proxy')
      await sendRequests(program, key, 25)
      proxy.loseNext()
      await usage().catch(() => 0)
      expect(proxy.lost()).toBe(1)
      expect(await counted(opening)).toBe(25)
      await sendRequests(program, key, 5)
      await waitUntil(async () => (await usage().catch(() => 0)) > 0, { describe: 'usage to be readable again' })
      expect(await program.stop()).toBe(0)
      expect(await counted(opening)).toBe(30)
    })
  })
})

type CommitLoser = { url: string; loseNext: () => void; lost: () => number; stop: () => void }

/** A proxy to PostgreSQL that, on request, forwards the next commit of usage but closes the connection before its response. */
async function loseCommits(url: string): Promise<CommitLoser> {
  const target = new URL(url)
  let armed = false
  let lost = 0
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    let ofUsage = false
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (armed && text.includes('usage_count')) ofUsage = true
      if (ofUsage && /commit/i.test(text)) {
        armed = false
        ofUsage = false
        lost++
        upstream.removeAllListeners('data')
        // The commit was confirmed, so it is done; only then the connection is closed.
        upstream.once('data', () => client.destroy())
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => client.write(bytes))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    client.on('error', () => {})
    upstream.on('error', () => {})
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as { port: number }
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String(port)
  return {
    url: through.href,
    loseNext: () => {
      armed = true
    },
    lost: () => lost,
    stop: () => server.close(),
  }
}
