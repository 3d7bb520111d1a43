import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isReadOnlyServer } from '../database-errors.ts'
import type { PrimaryPool } from './primary-pool.ts'
import { isUnreplicated } from './replication-warning.ts'

/** After this pause one query is let through; the others keep failing at once until it succeeds. */
const OPEN_CIRCUIT_MS = 300
/** SQLSTATE of a failed connection, so that callers treat both cases alike. */
const CONNECTION_FAILURE = '08006'

const lostConnection = (message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code: CONNECTION_FAILURE })

/**
 * A pool with a circuit breaker. Without it every query of a request would wait for its own timeout, and requests would
 * queue for hanging connections: after the first failure all others fail at once.
 */
export function circuitBreakerPool(
  pool: Pick<PrimaryPool, 'connect' | 'end' | 'options' | 'onConnectionLost'>,
  isConnectionLost: (error: unknown) => boolean,
): PostgresPool {
  let lastFailure: unknown
  let openUntil = 0
  let isProbing = false

  function failWhileOpen(): void {
    if (lastFailure === undefined) return
    if (isProbing || performance.now() < openUntil) {
      throw lostConnection('the database is unreachable', lastFailure)
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
        pool.onConnectionLost()
      } else {
        if (isReadOnlyServer(error)) pool.onConnectionLost()
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
        const result = await trackOutcome(client.query(text, parameters as unknown[]))
        if (isUnreplicated(client)) throw lostConnection('the standby has not confirmed the commit')
        return result
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
