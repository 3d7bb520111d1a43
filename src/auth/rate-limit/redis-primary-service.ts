import { readFileSync } from 'node:fs'
import { RedisClient } from 'bun'
import type { RedisAddress } from './redis-address.ts'

const SENTINEL_PORT = '26379'

type RedisOptions = NonNullable<ConstructorParameters<typeof RedisClient>[1]>

const OPTIONS: RedisOptions = { autoReconnect: false, enableOfflineQueue: false }

/** A client that is not connected yet. */
export function newRedisClient(url: string, { tls }: RedisAddress, connectionTimeout: number): RedisClient {
  const files = Object.entries(tls).map(([name, file]) => [name, readFileSync(file, 'utf8')])
  return new RedisClient(url, {
    ...OPTIONS,
    connectionTimeout,
    ...(files.length > 0 ? { tls: Object.fromEntries(files) } : {}),
  })
}

/** The host to connect to now. A single host is not asked. */
export async function findRedisPrimary(address: RedisAddress, timeoutMs: number): Promise<string> {
  const [only = '', ...others] = address.urls
  if (others.length === 0 && address.sentinelName === null) return only
  const answers = await Promise.allSettled(address.urls.map((url) => askHost(url, address, timeoutMs)))
  for (const answer of answers) if (answer.status === 'fulfilled' && answer.value) return answer.value
  const failure = answers.find((answer) => answer.status === 'rejected')
  throw failure?.reason ?? new Error('no host of REDIS_URL is a primary')
}

/** The address of the primary as this host knows it; null if it is none itself. */
async function askHost(url: string, address: RedisAddress, timeoutMs: number): Promise<string | null> {
  const { sentinelName } = address
  const client = newRedisClient(sentinelName === null ? url : sentinelUrl(url), address, timeoutMs)
  try {
    await client.connect()
    if (sentinelName === null) {
      const [role] = (await client.send('ROLE', [])) as [string]
      return role === 'master' ? url : null
    }
    const found = (await client.send('SENTINEL', ['get-master-addr-by-name', sentinelName])) as [string, string] | null
    if (!found) return null
    const primary = new URL(url)
    primary.hostname = found[0].includes(':') ? `[${found[0]}]` : found[0]
    primary.port = found[1]
    primary.pathname = ''
    return primary.href
  } finally {
    client.close()
  }
}

/** User and password are those of Redis; sentinels are asked without. */
function sentinelUrl(url: string): string {
  const sentinel = new URL(url)
  sentinel.username = ''
  sentinel.password = ''
  sentinel.pathname = ''
  sentinel.port ||= SENTINEL_PORT
  return sentinel.href
}
