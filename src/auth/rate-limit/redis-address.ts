import { splitHosts } from '../../lib/host-list.ts'

/**
 * `REDIS_URL`: `redis://` or `rediss://` with one host, or with several of which one is the primary; or
 * `redis+sentinel://sentinel1:26379,sentinel2:26379/NAME`, where the sentinels say which host is the primary of NAME.
 */
export type RedisAddress = {
  /** One address per host or sentinel. */
  readonly urls: readonly string[]
  /** The name that the sentinels know; null if the hosts are asked themselves. */
  readonly sentinelName: string | null
  /** Certificates of the connection; empty files are left out. */
  readonly tls: { readonly cert?: string; readonly key?: string; readonly ca?: string }
}

const SENTINEL = '+sentinel:'
const TLS_FILES = { cert: 'sslcert', key: 'sslkey', ca: 'sslrootcert' } as const

/** Undefined if the text is no such address. */
export function parseRedisAddress(text: string): RedisAddress | undefined {
  const isSentinel = /^rediss?\+sentinel:/.test(text)
  if (!isSentinel && !/^rediss?:/.test(text)) return undefined
  const urls = splitHosts(text.replace(SENTINEL, ':'))
  const [first] = urls ?? []
  if (!urls || first === undefined || new URL(first).hostname === '') return undefined
  const { pathname, searchParams } = new URL(first)
  const sentinelName = isSentinel ? decodeURIComponent(pathname.slice(1)) : null
  if (sentinelName === '') return undefined
  const tls = Object.fromEntries(
    Object.entries(TLS_FILES).flatMap(([name, parameter]) => {
      const file = searchParams.get(parameter)
      return file ? [[name, file]] : []
    }),
  )
  return { urls: urls.map((url) => url.replace(/\?.*$/, '')), sentinelName, tls }
}
