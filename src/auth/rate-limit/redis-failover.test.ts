import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisClient } from 'bun'
import { freePort } from '../../../test/support/postgres.ts'
import { NO_REDIS, startRedis, startSentinel, type TestRedis } from '../../../test/support/redis.ts'
import { waitUntil } from '../../../test/support/wait.ts'
import { memoryLimiter } from './memory-limiter-service.ts'
import { parseRedisAddress, type RedisAddress } from './redis-address.ts'
import { type RedisLimiter, redisLimiter } from './redis-limiter-service.ts'

const NAME = 'limits'
const first = await startRedis()
const second = await startRedis()
if (!first || !second) process.stderr.write(`${NO_REDIS}\n`)

describe.skipIf(!first || !second)('limits shared through a Redis with a replica', () => {
  const servers = [first as TestRedis, second as TestRedis] as const
  const opened: RedisLimiter[] = []
  const started: TestRedis[] = [...servers]
  let names = 0

  const send = async ({ url }: TestRedis, command: string, ...parameters: string[]): Promise<unknown> => {
    const client = new RedisClient(url)
    try {
      return await client.send(command, parameters)
    } finally {
      client.close()
    }
  }
  const setPrimary = async (primary: TestRedis, replica: TestRedis) => {
    await send(primary, 'REPLICAOF', 'NO', 'ONE')
    await send(replica, 'REPLICAOF', '127.0.0.1', String(primary.port))
  }
  async function open(url: string): Promise<RedisLimiter> {
    const address = parseRedisAddress(url) as RedisAddress
    const limiter = redisLimiter({ address, local: memoryLimiter(), warn: () => {}, timeoutMs: 30_000 })
    opened.push(limiter)
    await limiter.firstAttempt
    return limiter
  }
  /** Two processes count one key together. */
  async function expectShared(limiters: readonly RedisLimiter[]): Promise<void> {
    await waitUntil(() => limiters.every((limiter) => limiter.isConnected()), { describe: 'Redis to be used' })
    const key = `key_${++names}`
    let allowed = 0
    for (let sent = 0; sent < 20; sent++)
      if ((await limiters[sent % 2]?.take(key, 10, 1, Date.now()))?.allowed) allowed++
    expect(allowed).toBe(10)
  }
  const isPrimary = async (server: TestRedis) => ((await send(server, 'ROLE')) as [string])[0] === 'master'

  afterEach(() => {
    for (const limiter of opened.splice(0)) limiter.close()
  })
  afterAll(async () => {
    for (const server of started) await server.stop()
  })

  test('of several hosts the primary is used, and after a failover the new one', async () => {
    await setPrimary(servers[1], servers[0])
    const url = `redis://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
    const limiters = [await open(url), await open(url)]
    await expectShared(limiters)
    await setPrimary(servers[0], servers[1])
    // Writes to the old one fail, and the limiters look for the new one.
    await waitUntil(
      async () => {
        await Promise.all(limiters.map((limiter) => limiter.take('key', 1_000, 1, Date.now())))
        return (await send(servers[0], 'EXISTS', 'device-intelligence:rate:key')) === 1
      },
      { describe: 'the new primary to be used' },
    )
    await expectShared(limiters)
  })

  test('sentinels name the primary, also the next one', async () => {
    await setPrimary(servers[0], servers[1])
    const sentinel = (await startSentinel(NAME, servers[0])) as TestRedis
    started.push(sentinel)
    const url = `redis+sentinel://127.0.0.1:${sentinel.port}/${NAME}`
    const limiters = [await open(url), await open(url)]
    await expectShared(limiters)
    const replicas = async () => String(JSON.stringify(await send(sentinel, 'SENTINEL', 'replicas', NAME)))
    await waitUntil(async () => (await replicas()).includes(String(servers[1].port)), {
      describe: 'the sentinel to know the replica',
    })
    await servers[0].kill()
    await waitUntil(() => isPrimary(servers[1]), { describe: 'the replica to take over' })
    await expectShared(limiters)
  })

  test('a client certificate opens a Redis that asks for one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'di-redis-tls-'))
    const script = `cd ${folder}
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
      for name in server client; do
        openssl req -newkey rsa:2048 -nodes -subj /CN=$name -keyout $name.key -out $name.csr
        echo subjectAltName=IP:127.0.0.1 > names
        openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out $name.pem
      done`
    expect(Bun.spawnSync(['sh', '-euc', script]).exitCode).toBe(0)
    const file = (name: string) => join(folder, name)
    const port = await freePort()
    const files = ['--tls-cert-file', file('server.pem'), '--tls-key-file', file('server.key')]
    const server = await startRedis(['--tls-port', String(port), ...files, '--tls-ca-cert-file', file('ca.pem')])
    started.push(server as TestRedis)
    const url = `rediss://127.0.0.1:${port}?sslrootcert=${file('ca.pem')}`
    const withCertificate = `${url}&sslcert=${file('client.pem')}&sslkey=${file('client.key')}`
    await expectShared([await open(withCertificate), await open(withCertificate)])
    expect((await open(url)).isConnected()).toBe(false)
    rmSync(folder, { recursive: true })
  })

  test('hosts of which none is a primary leave each process to count for itself', async () => {
    const limiter = await open(`redis://127.0.0.1:${servers[0].port},127.0.0.1:${servers[0].port}`)
    expect(limiter.isConnected()).toBe(false)
    expect((await limiter.take('alone', 10, 1, Date.now())).allowed).toBe(true)
  })
})
