import pg from 'pg'

const CHANNEL = 'device_intelligence'
const RECONNECT_AFTER_MS = 5_000

/** Sent with the transaction that announces a change, and heard only if that commits. */
export const NOTIFY_QUERY = `select pg_notify('${CHANNEL}', '')`

/**
 * Calls `heard` when some process has announced a change, on a connection of its own. It only makes things sooner: whoever
 * hears nothing, because the connection broke or a pooler stands between, looks for himself a few times a second.
 */
export function listenForNotifications(url: string, onNotification: () => void): () => void {
  let client: pg.Client | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  async function connect(): Promise<void> {
    const mine = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: 'device-intelligence notices',
    })
    client = mine
    let isLost = false
    const lost = () => {
      if (isLost) return
      isLost = true
      mine.end().catch(() => {})
      if (stopped) return
      timer = setTimeout(connect, RECONNECT_AFTER_MS)
      timer.unref()
    }
    mine.on('error', lost)
    mine.on('end', lost)
    mine.on('notification', onNotification)
    try {
      await mine.connect()
      await mine.query(`listen ${CHANNEL}`)
    } catch {
      lost()
    }
  }

  void connect()
  return () => {
    stopped = true
    clearTimeout(timer)
    client?.end().catch(() => {})
  }
}
