import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWithFile } from '../support/children.ts'
import { onBothDatabases } from '../support/databases.ts'
import { NGINX, shippedNginxConfiguration } from '../support/nginx.ts'
import { freePort } from '../support/postgres.ts'
import { type RunningProgram, runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

/** Restarts two processes one after the other behind the shipped nginx configuration while requests arrive at a fixed rate. */
const nginx = NGINX
if (process.env.CI === 'true' && !nginx) throw new Error('The rolling restart needs nginx.')
if (!nginx) console.warn('No nginx here: the rolling restart is left out.')

const RATE_PER_S = Number(process.env.RATE ?? 200)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const folder = mkdtempSync(join(tmpdir(), 'di-rolling-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

if (nginx)
  onBothDatabases((store) => {
    test('a rolling restart behind the shipped nginx configuration loses no request', async () => {
      const { url: DATABASE_URL, dataDir } = await store.open()
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const ports = [await freePort(), await freePort()]
      const shared = {
        DATA_DIR: dataDir,
        ...(DATABASE_URL ? { DATABASE_URL } : {}),
        BASE_URL: url,
        TRUST_PROXY: '1',
        DRAIN_S: '2',
        RATE_LIMIT_ENTERPRISE: '10000000',
        RATE_LIMIT_ADDRESS: '10000000',
      }
      const start = (at: number) => startProgram({ ...shared, PORT: String(ports[at]) })
      const programs: RunningProgram[] = [await start(0), await start(1)]
      const org = (await runProgram(['org', 'create', 'Rolling'], shared)).stdout.trim()
      const made = await runProgram(['key', 'create', '--org', org, '--tier', 'enterprise', '--json'], shared)
      const key = /pk_ent_\w+/.exec(made.stdout)?.[0] ?? ''
      expect(key).toStartWith('pk_ent_')
      const file = join(folder, 'nginx.conf')
      writeFileSync(file, shippedNginxConfiguration(folder, port, ports))
      const proxy = endWithFile(
        Bun.spawn([nginx, '-c', file, '-p', folder, '-e', `${folder}/error.log`], {
          stdout: 'ignore',
          stderr: 'ignore',
        }),
      )
      await waitUntil(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true, {
        describe: 'nginx',
      })

      const durations: number[] = []
      const failures: string[] = []
      const lookups: string[] = []
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      let sent = 0
      async function request(): Promise<void> {
        const at = sent++
        const startedAt = performance.now()
        const body = JSON.stringify({ identifier: String(35_000_000_000_000 + at * 7_919) })
        try {
          const response = await (at % 4 === 0
            ? fetch(`${url}/api/imei`, { method: 'POST', headers, body })
            : fetch(`${url}/api/devices?limit=5&page=${(at % 5) + 1}`, { headers }))
          const text = await response.text()
          if (response.status !== 200)
            failures.push(`${at % 4 === 0 ? 'POST' : 'GET'} ${response.status} ${text.slice(0, 120)}`)
          else if (at % 4 === 0) lookups.push(JSON.parse(text).data.lookup_id)
        } catch (error) {
          failures.push(String(error))
        }
        durations.push(performance.now() - startedAt)
      }
      const pending = new Set<Promise<void>>()
      const timer = setInterval(() => {
        const one = request().finally(() => pending.delete(one))
        pending.add(one)
      }, 1000 / RATE_PER_S)
      try {
        for (let round = 0; round < ROUNDS; round++)
          for (const at of [0, 1]) {
            const sentBefore = sent
            await waitUntil(() => sent >= sentBefore + RATE_PER_S, { describe: 'a second of requests' })
            expect(await programs[at]?.stop()).toBe(0)
            programs[at] = await start(at)
          }
      } finally {
        clearInterval(timer)
        await Promise.all(pending)
      }
      const sorted = durations.sort((left, right) => left - right)
      const percentile = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
      console.log(
        `${store.name}: ${sent} requests over ${2 * ROUNDS} restarts, ${failures.length} failed, p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms`,
      )
      const problems = readFileSync(join(folder, 'error.log'), 'utf8')
        .split('\n')
        .filter((line) => / POST /.test(line))
      expect({ failures, problems: failures.length > 0 ? problems : [] }).toEqual({ failures: [], problems: [] })
      for (const id of lookups.slice(-20)) expect((await fetch(`${url}/api/imei/${id}`, { headers })).status).toBe(200)
      proxy.kill('SIGTERM')
      await proxy.exited
      for (const program of programs) await program.stop()
    }, 600_000)
  })
