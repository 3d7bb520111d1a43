import pg from 'pg'
import { parseHostList } from '../../lib/postgres-hosts.ts'

/** A server that does not respond within this time is taken for lost. */
const ASK_TIMEOUT_MS = 1_500

export type WritableHost = {
  readonly url: string
  /** Counts up with each promotion: of two servers that both accept writes, the one with the lower number was replaced. */
  readonly timeline: number
}

/** The server that accepts writes and was promoted last; rejects if none does. */
export async function findPrimary(urls: readonly string[]): Promise<WritableHost> {
  const answers = await Promise.allSettled(urls.map(askHost))
  const writable = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []))
  const [first, ...others] = writable
  if (first) return others.reduce((best, host) => (host.timeline > best.timeline ? host : best), first)
  const isReadOnly = answers.some((answer) => answer.status === 'fulfilled')
  if (isReadOnly) throw Object.assign(new Error('every reachable server is read-only'), { code: '25006' })
  throw answers.find((answer) => answer.status === 'rejected')?.reason
}

/** Null for a standby, or a server that accepts no writes. */
async function askHost(url: string): Promise<WritableHost | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ASK_TIMEOUT_MS,
    query_timeout: ASK_TIMEOUT_MS,
    application_name: 'device-intelligence primary',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ is_writable: boolean; segment: string | null }>(
      `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as is_writable,
         case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as segment`,
    )
    const { is_writable: isWritable, segment } = rows[0] ?? {}
    // The name of a segment of the log begins with its timeline in hexadecimal.
    return isWritable && segment ? { url, timeline: Number.parseInt(segment.slice(0, 8), 16) } : null
  } finally {
    await client.end().catch(() => {})
  }
}

/** The address to connect to now: of several hosts the primary, of a single one itself. */
export async function primaryUrl(url: string): Promise<string> {
  const list = parseHostList(url)
  if (!list) return url
  return list.isChecked ? (await findPrimary(list.urls)).url : (list.urls[0] ?? url)
}
