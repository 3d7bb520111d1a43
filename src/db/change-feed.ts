import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Topic, Tx } from './database.ts'
import type { Schema } from './schema.ts'

const POLL_INTERVAL_MS = 250

export async function raiseCounter(tx: Tx, topic: Topic): Promise<number> {
  const { counter } = await tx
    .insertInto('change')
    .values({ topic, counter: 1 })
    .onConflict((conflict) => conflict.column('topic').doUpdateSet({ counter: sql<number>`change.counter + 1` }))
    .returning('counter')
    .executeTakeFirstOrThrow()
  return Number(counter)
}

/** The counter of a topic as it is, written anew: every store takes that, as long as it takes anything. */
export function touchCounterQuery(query: Kysely<Schema>) {
  return query
    .insertInto('change')
    .values({ topic: 'access' satisfies Topic, counter: 0 })
    .onConflict((conflict) => conflict.column('topic').doUpdateSet({ counter: sql<number>`change.counter` }))
    .compile()
}

/**
 * Watches the counters. One row per topic, looked at four times a second: the same on both databases, and nothing to
 * reconnect when the database was away. A database that can tell of changes only makes the next look come sooner.
 */
export function openChangeFeed(query: Kysely<Schema>, pollIntervalMs = POLL_INTERVAL_MS) {
  const listeners = new Map<Topic, Set<() => void>>()
  const seen = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let looking = false
  let wanted = false
  // Silence begins with a look that is not answered: a start may take a while before its first.
  let answeredAt: number | undefined

  async function look(): Promise<void> {
    looking = true
    answeredAt ??= performance.now()
    try {
      const counters = await query.selectFrom('change').selectAll().execute()
      answeredAt = performance.now()
      for (const { topic, counter } of counters) {
        const before = seen.get(topic)
        seen.set(topic, counter)
        if (before !== counter) for (const react of listeners.get(topic as Topic) ?? []) react()
      }
    } catch {
      // The store is away; requests that need it say so. The next look finds out what was missed.
    }
    looking = false
    if (!stopped && timer !== undefined) timer = setTimeout(look, wanted ? 0 : pollIntervalMs)
    wanted = false
  }

  return {
    onChange(topic: Topic, react: () => void): () => void {
      const reactions = listeners.get(topic) ?? new Set()
      listeners.set(topic, reactions.add(react))
      // Whoever begins to listen has read something before: the next look tells them once, in case it changed since.
      seen.delete(topic)
      timer ??= setTimeout(look, pollIntervalMs)
      return () => reactions.delete(react)
    },
    /** Somebody was told of a change: there is no need to wait for the next look. */
    lookNow(): void {
      if (stopped || timer === undefined) return
      if (looking) {
        wanted = true
        return
      }
      clearTimeout(timer)
      timer = setTimeout(look, 0)
    },
    silentForMs: () => (answeredAt === undefined ? 0 : performance.now() - answeredAt),
    stop(): void {
      stopped = true
      clearTimeout(timer)
    },
  }
}
