import pg from 'pg'
import { primaryUrl } from './primary.ts'

/** Keeps our named locks apart from those of other programs in the same database; an arbitrary constant. */
const LOCK_NAMESPACE = 7_310_043
const POLL_INTERVAL_MS = 200

/** A machine that disappears without closing its connection holds the lock for nine seconds instead of hours. */
const DETECT_LOST_MACHINE =
  'set local tcp_keepalives_idle = 3; set local tcp_keepalives_interval = 2; set local tcp_keepalives_count = 3'

/**
 * Runs `work` while a transaction on a dedicated connection holds the lock. The lock is released with the connection, so a
 * kill -9 frees it; if the connection is lost, `work` fails, because another process may hold the lock by then. A
 * transaction lock instead of a session lock, because a transaction pooler may switch connections.
 *
 * Queries have no parameters: a parameterized query keeps its snapshot until the next one, and VACUUM would remove nothing in
 * the whole database while the lock is held.
 */
export async function withAdvisoryLock<T>(
  url: string,
  name: string,
  work: () => Promise<T>,
  { onWait, onMove }: { readonly onWait: () => void; readonly onMove: (react: () => void) => () => void },
): Promise<T> {
  const client = new pg.Client({
    connectionString: await primaryUrl(url),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: `device-intelligence ${name}`,
  })
  let stopWatching = () => {}
  const connectionLost = new Promise<never>((_, reject) => {
    client.on('error', reject)
    // Another process may hold the lock on the new primary.
    stopWatching = onMove(() => reject(new Error('Connection terminated: another server is the primary')))
  })
  connectionLost.catch(() => {})
  try {
    await client.connect()
    await client.query('begin')
    await client.query(DETECT_LOST_MACHINE)
    for (let waits = 0; !(await tryLock(client, name)); waits++) {
      if (waits === 0) onWait()
      await Bun.sleep(POLL_INTERVAL_MS)
    }
    return await Promise.race([work(), connectionLost])
  } finally {
    stopWatching()
    await client.end().catch(() => {})
  }
}

async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(${LOCK_NAMESPACE}, hashtext(${pg.escapeLiteral(name)})) as taken`,
  )
  return rows[0]?.taken === true
}
