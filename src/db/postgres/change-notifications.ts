import pg from 'pg'
import { primaryUrl } from './primary.ts'

const CHANNEL = 'device_intelligence'
const RECONNECT_AFTER_MS = 5_000

/** Part of the transaction that announces a change; delivered only if it commits. */
export const NOTIFY_QUERY = `select pg_notify('${CHANNEL}', '')`

/**
 * Calls `onNotification` when a process has announced a change. Uses a dedicated connection. Only a speed-up: without
 * notifications (a broken connection, a pooler) the poll of the change counters still finds the change.
 */
export function listenForNotifications(
  url: string,
  onNotification: () => void,
  onMove: (react: () => void) => () => void,
): () => void {
  let client: pg.Client | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  async function connect(): Promise<void> {
    const address = await primaryUrl(url).catch(() => undefined)
    if (stopped) return
    if (address === undefined) {
      timer = setTimeout(connect, RECONNECT_AFTER_MS)
      timer.unref()
      return
    }
    const connection = new pg.Client({
      connectionString: address,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: 'device-intelligence notifications',
    })
    client = connection
    let isLost = false
    const reconnect = () => {
      if (isLost) return
      isLost = true
      connection.end().catch(() => {})
      if (stopped) return
      timer = setTimeout(connect, RECONNECT_AFTER_MS)
      timer.unref()
    }
    connection.on('error', reconnect)
    connection.on('end', reconnect)
    connection.on('notification', onNotification)
    try {
      await connection.connect()
      await connection.query(`listen ${CHANNEL}`)
    } catch {
      reconnect()
    }
  }

  void connect()
  // The connection to the server that was replaced ends, which opens the next one.
  const stopWatching = onMove(() => client?.end().catch(() => {}))
  return () => {
    stopped = true
    stopWatching()
    clearTimeout(timer)
    client?.end().catch(() => {})
  }
}
