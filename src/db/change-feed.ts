import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Topic, Tx } from './database.ts'
import type { Schema } from './schema.ts'

const POLL_INTERVAL_MS = 250

export async function incrementCounter(tx: Tx, topic: Topic): Promise<number> {
  const { counter } = await tx
    .insertInto('change')
    .values({ topic, counter: 1 })
    .onConflict((conflict) => conflict.column('topic').doUpdateSet({ counter: sql<number>`change.counter + 1` }))
    .returning('counter')
    .executeTakeFirstOrThrow()
  return Number(counter)
}

/** Writes a counter without changing its value: the smallest write that proves the database is writable. */
export function touchCounterQuery(query: Kysely<Schema>) {
  return query
    .insertInto('change')
    .values({ topic: 'access' satisfies Topic, counter: 0 })
    .onConflict((conflict) => conflict.column('topic').doUpdateSet({ counter: sql<number>`change.counter` }))
    .compile()
}

/**
 * Polls the counters, one row per topic, four times a second: the same on both databases, with nothing to reconnect after
 * an outage. PostgreSQL notifications only bring the next poll forward.
 */
export function openChangeFeed(query: Kysely<Schema>, pollIntervalMs = POLL_INTERVAL_MS) {
  const listeners = new Map<Topic, Set<() => void>>()
  const lastCounters = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let isPolling = false
  let pollAgain = false
  // Set by the first poll: a slow start before it does not count as silence.
  let lastResponseAt: number | undefined

  async function poll(): Promise<void> {
    isPolling = true
    lastResponseAt ??= performance.now()
    try {
      const counters = await query.selectFrom('change').selectAll().execute()
      lastResponseAt = performance.now()
      for (const { topic, counter } of counters) {
        const previous = lastCounters.get(topic)
        lastCounters.set(topic, counter)
        if (previous !== counter) for (const react of listeners.get(topic as Topic) ?? []) react()
      }
    } catch {
      // The database is unavailable; requests that need it report that. The next poll catches up.
    }
    isPolling = false
    if (!stopped && timer !== undefined) timer = setTimeout(poll, pollAgain ? 0 : pollIntervalMs)
    pollAgain = false
  }

  return {
    onChange(topic: Topic, react: () => void): () => void {
      const reactions = listeners.get(topic) ?? new Set()
      listeners.set(topic, reactions.add(react))
      // The subscriber read its data before: the next poll notifies it once, in case the data changed since.
      lastCounters.delete(topic)
      timer ??= setTimeout(poll, pollIntervalMs)
      return () => reactions.delete(react)
    },
    pollNow(): void {
      if (stopped || timer === undefined) return
      if (isPolling) {
        pollAgain = true
        return
      }
      clearTimeout(timer)
      timer = setTimeout(poll, 0)
    },
    msSinceLastResponse: () => (lastResponseAt === undefined ? 0 : performance.now() - lastResponseAt),
    stop(): void {
      stopped = true
      clearTimeout(timer)
    },
  }
}
