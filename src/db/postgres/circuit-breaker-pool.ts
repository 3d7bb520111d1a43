import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** After this pause one query is let through; the others keep failing at once until it succeeds. */
const OPEN_CIRCUIT_MS = 300
/** SQLSTATE of a failed connection, so that callers treat both cases alike. */
const CONNECTION_FAILURE = '08006'

/**
 * A pool with a circuit breaker. Without it every query of a request would wait for its own timeout, and requests would
 * queue for hanging connections: after the first failure all others fail at once.
 */
export function circuitBreakerPool(pool: pg.Pool, isConnectionLost: (error: unknown) => boolean): PostgresPool {
  let lastFailure: unknown
  let openUntil = 0
  let isProbing = false

  function failWhileOpen(): void {
    if (lastFailure === undefined) return
    if (isProbing || performance.now() < openUntil) {
      const error = new Error('the database is unreachable', { cause: lastFailure })
      throw Object.assign(error, { code: CONNECTION_FAILURE })
    }
    isProbing = true
  }

  async function trackOutcome<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work
      lastFailure = undefined
      isProbing = false
      return result
    } catch (error) {
      if (isConnectionLost(error)) {
        lastFailure = error
        openUntil = performance.now() + OPEN_CIRCUIT_MS
      } else {
        // The database responded, if only with an error.
        lastFailure = undefined
      }
      isProbing = false
      throw error
    }
  }

  function guardClient(client: pg.PoolClient): PostgresPoolClient {
    let connectionError: unknown
    async function query(text: string, parameters: readonly unknown[]): Promise<unknown> {
      // Skips the rollback too: it happens when the connection is dropped.
      if (connectionError !== undefined) throw connectionError
      try {
        return await trackOutcome(client.query(text, parameters as unknown[]))
      } catch (error) {
        if (isConnectionLost(error)) connectionError = error
        throw error
      }
    }
    return {
      query: query as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy === true || connectionError !== undefined),
    }
  }

  return {
    options: pool.options,
    async connect() {
      failWhileOpen()
      // A hanging server still accepts connections: only a completed query closes the circuit.
      try {
        return guardClient(await pool.connect())
      } catch (error) {
        return trackOutcome(Promise.reject(error))
      }
    },
    end: () => pool.end(),
  }
}
