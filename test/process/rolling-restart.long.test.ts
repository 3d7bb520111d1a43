import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWithFile } from '../support/children.ts'
import { steadyLoad } from '../support/cluster.ts'
import { NGINX, shippedNginxConfiguration } from '../support/nginx.ts'
import { freePort } from '../support/postgres.ts'
import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

if (process.env.CI === 'true' && !NGINX) throw new Error('The rolling restart needs nginx.')
if (!NGINX) console.warn('No nginx here: the rolling restart is left out.')

const PER_SECOND = 200
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const folder = mkdtempSync(join(tmpdir(), 'di-rolling-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** `cluster.long.test.ts` does it with PostgreSQL. */
test.if(NGINX !== null)(
  'a rolling restart of two processes with one SQLite file behind nginx fails no request',
  async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const ports = [await freePort(), await freePort()]
    const shared = {
      DATA_DIR: filledDataDir('small'),
      BASE_URL: url,
      TRUST_PROXY: '1',
      DRAIN_S: '2',
      RATE_LIMIT_ENTERPRISE: '10000000',
      RATE_LIMIT_ADDRESS: '10000000',
    }
    const start = (at: number) => startProgram({ ...shared, PORT: String(ports[at]) })
    const programs: RunningProgram[] = [await start(0), await start(1)]
    const org = (await runProgram(['org', 'create', 'Rolling'], shared)).stdout.trim()
    const key = (await runProgram(['key', 'create', '--org', org, '--tier', 'enterprise'], shared)).stdout.trim()
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, shippedNginxConfiguration(folder, port, ports))
    const proxy = endWithFile(
      Bun.spawn([NGINX as string, '-c', file, '-p', folder, '-e', `${folder}/error.log`], {
        stdout: 'ignore',
        stderr: 'ignore',
      }),
    )
    await waitUntil(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true, {
      describe: 'nginx',
    })

    const load = steadyLoad({ url, key }, PER_SECOND)
    for (let round = 0; round < ROUNDS; round++)
      for (const at of [0, 1]) {
        const target = load.sent() + PER_SECOND
        await waitUntil(() => load.sent() >= target, { describe: 'a second of requests' })
        expect(await programs[at]?.stop()).toBe(0)
        programs[at] = await start(at)
      }
    const lookups = await load.stop()
    const failures = load.failures()
    const problems = failures.length > 0 ? readFileSync(join(folder, 'error.log'), 'utf8') : ''
    expect({ failures, problems }).toEqual({ failures: [], problems: '' })
    for (const id of lookups.slice(-20)) {
      const response = await fetch(`${url}/api/imei/${id}`, { headers: { Authorization: `Bearer ${key}` } })
      expect(response.status).toBe(200)
    }
    proxy.kill('SIGTERM')
    await proxy.exited
    for (const program of programs) await program.stop()
  },
  600_000,
)
