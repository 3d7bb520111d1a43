import type pg from 'pg'
import { parseHostList } from '../../lib/postgres-hosts.ts'
import { findPrimary, type WritableHost } from './primary.ts'

/** How often the hosts are asked which of them is the primary, so that writes to a replaced one end. */
const CHECK_EVERY_MS = 2_000

export type PrimaryPool = Pick<pg.Pool, 'connect' | 'end' | 'options'> & {
  /** Looks for the primary soon: a connection was lost, or the server is read-only. */
  onConnectionLost(): void
  /** Calls `react` when connections to another server than so far are used. */
  onMove(react: () => void): () => void
  usage(): { readonly inUse: number; readonly waiting: number }
}

/**
 * A pool of connections to the primary of several hosts. After a failover it uses the new one; connections to a server that
 * was replaced are closed, also if that one still accepts writes.
 */
export async function openPrimaryPool(
  url: string,
  newPool: (url: string) => pg.Pool,
  checkEveryMs = CHECK_EVERY_MS,
): Promise<PrimaryPool> {
  const list = parseHostList(url) ?? { urls: [url], isChecked: false }
  const reactions = new Set<() => void>()
  const first: WritableHost = list.isChecked
    ? await findPrimary(list.urls)
    : { url: list.urls[0] ?? url, timeline: Number.POSITIVE_INFINITY }
  let current = open(first)
  let isClosed = false
  let looking: Promise<void> | undefined

  function open(host: WritableHost) {
    return { host, pool: newPool(host.url), clients: new Set<pg.PoolClient>() }
  }

  function moveTo(host: WritableHost): void {
    const { pool, clients } = current
    current = open(host)
    void pool.end().catch(() => {})
    // What they are doing fails, and is acknowledged to nobody.
    for (const client of clients) void (client as unknown as pg.Client).end().catch(() => {})
    for (const react of reactions) react()
  }

  async function look(): Promise<void> {
    const primary = await findPrimary(list.urls).catch(() => undefined)
    if (isClosed || !primary || primary.timeline < current.host.timeline) return
    if (primary.url !== current.host.url) moveTo(primary)
    else current.host = primary
  }

  function lookOnce(): void {
    if (!list.isChecked || isClosed) return
    looking ??= look().finally(() => {
      looking = undefined
    })
  }

  const timer = list.isChecked ? setInterval(lookOnce, checkEveryMs) : undefined
  timer?.unref()
  return {
    get options() {
      return current.pool.options
    },
    async connect() {
      const { pool, clients } = current
      try {
        const client = await pool.connect()
        if (!list.isChecked) return client
        clients.add(client)
        const release = client.release.bind(client)
        client.release = (destroy) => {
          clients.delete(client)
          client.release = release
          release(destroy)
        }
        return client
      } catch (error) {
        lookOnce()
        throw error
      }
    },
    async end() {
      isClosed = true
      clearInterval(timer)
      await looking
      await current.pool.end()
    },
    onConnectionLost: lookOnce,
    onMove(react) {
      reactions.add(react)
      return () => reactions.delete(react)
    },
    usage() {
      const { totalCount, idleCount, waitingCount } = current.pool
      return { inUse: totalCount - idleCount, waiting: waitingCount }
    },
  }
}
