import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** For so long after a failure nobody else tries; then one does, and the others go on hearing "away" until it is back. */
const OPEN_CIRCUIT_MS = 300
/** SQLSTATE of a connection that failed, so that our refusal is read like the database's own silence. */
const CONNECTION_FAILURE = '08006'

/**
 * A pool that gives up on a database that is away. Without it every step of a request would wait for its own time-out,
 * and requests would queue for connections that hang: the first step finds out, and all that follow are told at once.
 */
export function circuitBreakerPool(pool: pg.Pool, isConnectionLost: (error: unknown) => boolean): PostgresPool {
  let lastFailure: unknown
  let restUntil = 0
  let isTrying = false

  function refuseWhileAway(): void {
    if (lastFailure === undefined) return
    if (isTrying || performance.now() < restUntil) {
      throw Object.assign(new Error('the database is away', { cause: lastFailure }), { code: CONNECTION_FAILURE })
    }
    isTrying = true
  }

  async function watch<T>(work: Promise<T>): Promise<T> {
    try {
      const made = await work
      lastFailure = undefined
      isTrying = false
      return made
    } catch (error) {
      if (isConnectionLost(error)) {
        lastFailure = error
        restUntil = performance.now() + OPEN_CIRCUIT_MS
      } else {
        // An answer, if not the one that was hoped for.
        lastFailure = undefined
      }
      isTrying = false
      throw error
    }
  }

  function guarded(client: pg.PoolClient): PostgresPoolClient {
    let broken: unknown
    async function query(text: string, parameters: readonly unknown[]): Promise<unknown> {
      // Not even a rollback is worth waiting for on a connection that does not answer: it goes with the connection.
      if (broken !== undefined) throw broken
      try {
        return await watch(client.query(text, parameters as unknown[]))
      } catch (error) {
        if (isConnectionLost(error)) broken = error
        throw error
      }
    }
    return {
      query: query as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy === true || broken !== undefined),
    }
  }

  return {
    options: pool.options,
    async connect() {
      refuseWhileAway()
      // Connecting proves nothing (a server that hangs still accepts); the first answered query does.
      try {
        return guarded(await pool.connect())
      } catch (error) {
        return watch(Promise.reject(error))
      }
    },
    end: () => pool.end(),
  }
}
