import { afterAll, beforeAll, expect, test } from 'bun:test'
import { RedisClient } from 'bun'
import { generateKey } from '../../src/auth/api-key.ts'
import { freePort } from '../support/postgres.ts'
import { type RunningProgram, shownKeys, startProgram } from '../support/program.ts'
import { NO_REDIS, startRedis } from '../support/redis.ts'
import { waitUntil } from '../support/wait.ts'

const redis = await startRedis()
if (!redis) console.warn(NO_REDIS)

let program: RunningProgram
let metricsUrl: string
beforeAll(async () => {
  const metricsPort = String(await freePort())
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  program = await startProgram({
    METRICS_PORT: metricsPort,
    LOG_LEVEL: 'debug',
    RATE_LIMIT_PUBLIC: '40',
    ...(redis ? { REDIS_URL: redis.url } : {}),
  })
})
afterAll(async () => {
  await program.stop()
  await redis?.stop()
})

/** Everything that is stored: the log, the metrics and Redis. */
async function traces(): Promise<Record<string, string>> {
  const metrics = await (await fetch(metricsUrl)).text()
  let stored = ''
  if (redis) {
    const client = new RedisClient(redis.url)
    for (const name of (await client.send('KEYS', ['*'])) as string[]) {
      const isHash = (await client.send('TYPE', [name])) === 'hash'
      const content = await (isHash ? client.send('HGETALL', [name]) : client.send('ZRANGE', [name, '0', '-1']))
      stored += `${name} ${JSON.stringify(content)}\n`
    }
    client.close()
  }
  return { log: program.stderr(), metrics, redis: stored, stdout: program.stdout() }
}

test('no key, password, cookie or complete identifier is in logs, metrics or Redis', async () => {
  const keys = shownKeys(program.stderr())
  const unknownKey = generateKey('enterprise')
  const canaries = {
    enterpriseKey: keys.enterprise,
    publicKey: keys.public,
    unknownKey,
    malformedKey: 'pk_ent_CANARYmalformedCANARYmalformed01',
    password: 'canary-password-6f1c2b',
    cookie: 'canary-cookie-8d20aa',
    imei: '490154203237518',
    wrongImei: '490154203237519',
    spelledImei: '49-015420-323751-8',
    serial: 'C8QH6T96DPNG',
    meid: 'A10000009296F2',
    identifierInPath: '353918058825482',
    idempotencyKey: 'canary-idempotency-51ce',
  }
  const call = async (path: string, headers: Record<string, string> = {}, json?: unknown) => {
    const response = await fetch(program.url + path, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: json === undefined ? undefined : typeof json === 'string' ? json : JSON.stringify(json),
    })
    await response.arrayBuffer()
    return response.status
  }
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
  const enterprise = bearer(keys.enterprise)

  for (const identifier of [canaries.imei, canaries.wrongImei, canaries.spelledImei, canaries.serial, canaries.meid]) {
    const more = { 'Idempotency-Key': `${canaries.idempotencyKey}-${identifier}` }
    expect(await call('/api/imei', { ...enterprise, ...more }, { identifier })).toBe(200)
    await call('/api/imei', enterprise, { identifier, identifier_type: 'nonsense' })
    await call(`/api/imei?identifier=${identifier}`, enterprise)
    await call(`/api/devices?search=${identifier}`, enterprise)
  }
  await call('/api/imei/batch', enterprise, { items: [{ identifier: canaries.imei }, { identifier: canaries.serial }] })
  await call('/api/imei', enterprise, `{"identifier":"${canaries.imei}"`)
  await call(`/api/imei/${canaries.identifierInPath}`, enterprise)
  await call(`/api/nothing/${keys.enterprise}`)
  await call(`/${canaries.identifierInPath}?key=${keys.enterprise}`)
  await call(`/api/devices?api_key=${keys.enterprise}`)
  for (const key of [unknownKey, canaries.malformedKey, keys.enterprise.replace('pk_ent_', 'pk_pub_')]) {
    expect(await call('/api/devices', bearer(key))).toBe(401)
  }
  await call('/api/devices', { Authorization: `Basic ${btoa(`user:${canaries.password}`)}` })
  await call('/api/devices', { Cookie: `session=${canaries.cookie}`, 'X-Api-Key': keys.enterprise })
  // As a request id, a key or an identifier would be in every log line.
  await call('/api/devices', { ...enterprise, 'X-Request-Id': keys.enterprise })
  await call('/api/devices', { ...enterprise, 'X-Request-Id': canaries.imei })
  await call('/account/sign-in', { Origin: program.url }, { email: 'canary@example.com', password: canaries.password })
  for (let sent = 0; sent < 45; sent++) await call('/api/devices?limit=1', bearer(keys.public))
  // Log lines are in order: with the line of the last request all are there.
  const last = await fetch(`${program.url}/api/nothing/last`)
  await waitUntil(() => program.stderr().includes(last.headers.get('X-Request-Id') ?? 'none'), { describe: 'the log' })

  const seen = await traces()
  expect(seen.log).toContain('/api/imei')
  expect(seen.metrics).toContain('http_requests_total')
  if (redis) expect(seen.redis).toContain('device-intelligence:rate:key_')
  const found = Object.entries(canaries).flatMap(([what, secret]) =>
    Object.entries(seen)
      .filter(([, text]) => text.includes(secret))
      .map(([where]) => `${what} in ${where}`),
  )
  expect(found).toEqual([])
})
