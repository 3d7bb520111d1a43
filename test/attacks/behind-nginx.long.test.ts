import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKey } from '../../src/auth/api-key.ts'
import { freePort } from '../support/postgres.ts'
import { type RunningProgram, shownKeys, startProgram } from '../support/program.ts'

const nginx = Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin` })
if (process.env.CI === 'true' && !nginx) throw new Error('The attacks through a proxy need nginx.')
if (!nginx) console.warn('No nginx here: the attacks through it are left out.')

const BAD_KEYS = 1_000
const SIGN_INS = 600
const ADDRESS_LIMIT = 300
/** Of one address, for all accounts. */
const PASSWORDS_PER_MINUTE = 300

describe.skipIf(!nginx)('behind nginx in its usual configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'di-nginx-'))
  let program: RunningProgram
  let proxy: Bun.Subprocess
  let url = ''

  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    program = await startProgram({ TRUST_PROXY: '1', BASE_URL: url, RATE_LIMIT_ADDRESS: String(ADDRESS_LIMIT) })
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log /dev/null; worker_processes 1;
       events { worker_connections 512; }
       http {
         access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
         fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
         server {
           listen 127.0.0.1:${port};
           location / {
             proxy_pass ${program.url};
             proxy_set_header Host $host;
             proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
           }
         }
       }`,
    )
    proxy = Bun.spawn([nginx as string, '-c', join(folder, 'nginx.conf'), '-p', folder, '-e', '/dev/null'], {
      stdout: 'ignore',
      stderr: 'ignore',
    })
    for (let tries = 0; tries < 100 && !(await fetch(`${url}/healthz`).catch(() => undefined)); tries++)
      await Bun.sleep(50)
  })
  afterAll(async () => {
    proxy.kill('SIGTERM')
    await proxy.exited
    await program.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A forged client address, a different one for each request. */
  const forged = (at: number) => ({
    'X-Forwarded-For': `203.0.${at % 250}.${Math.floor(at / 250)}, 10.0.0.${at % 250}`,
  })

  async function statuses(many: number, ask: (at: number) => Promise<number>): Promise<Map<number, number>> {
    const seen = new Map<number, number>()
    for (let at = 0; at < many; at += 20) {
      const some = await Promise.all(Array.from({ length: Math.min(20, many - at) }, (_, more) => ask(at + more)))
      for (const status of some) seen.set(status, (seen.get(status) ?? 0) + 1)
    }
    return seen
  }

  test('forged addresses do not raise the number of wrong keys allowed per address', async () => {
    const from = performance.now()
    const seen = await statuses(BAD_KEYS, async (at) => {
      const headers = { Authorization: `Bearer ${generateKey('public')}`, ...forged(at) }
      const response = await fetch(`${url}/api/devices?limit=1`, { headers })
      await response.arrayBuffer()
      return response.status
    })
    // Attempts that become available again during the run pass too.
    const minutes = (performance.now() - from) / 60_000
    expect([...seen.keys()].sort()).toEqual([401, 429])
    expect(seen.get(401) ?? 0).toBeLessThanOrEqual(ADDRESS_LIMIT * (1 + minutes) + 5)
    const { public: key } = shownKeys(program.stderr())
    const good = await fetch(`${url}/api/devices?limit=1`, {
      headers: { Authorization: `Bearer ${key}`, ...forged(1) },
    })
    expect(good.status).toBe(200)
  })

  test('nor the number of password attempts', async () => {
    const from = performance.now()
    const seen = await statuses(SIGN_INS, async (at) => {
      const response = await fetch(`${url}/account/sign-in`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: url, ...forged(at) },
        body: JSON.stringify({ email: `nobody-${at}@example.test`, password: 'a guess of many' }),
      })
      await response.arrayBuffer()
      return response.status
    })
    // Attempts that become available again during the run are tried too.
    const minutes = (performance.now() - from) / 60_000
    expect(SIGN_INS - (seen.get(429) ?? 0)).toBeLessThanOrEqual(PASSWORDS_PER_MINUTE * (1 + minutes) + 5)
    expect(seen.get(200)).toBeUndefined()
  })
})
