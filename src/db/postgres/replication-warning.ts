import type pg from 'pg'

/** The function of PostgreSQL that waits for a synchronous standby; unlike the message it is the same in every language. */
const WAITING_FUNCTION = 'SyncRepWaitForLSN'

const unreplicated = new WeakSet<object>()

/**
 * A commit whose wait for a synchronous standby is cancelled, as by `pg_cancel_backend`, succeeds with a warning only: the
 * record is lost if the primary is lost then.
 */
export function watchReplication(client: pg.PoolClient): void {
  client.on('notice', ({ routine }) => {
    if (routine === WAITING_FUNCTION) unreplicated.add(client)
  })
}

/** Whether a commit of this connection was not confirmed by the standby. */
export const isUnreplicated = (client: object) => unreplicated.has(client)
