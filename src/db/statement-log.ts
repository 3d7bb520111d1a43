import type { LogEvent } from 'kysely'
import type { DatabaseOptions } from './database.ts'

/** The option of Kysely that reports statements; empty without a listener, because timing has a cost. */
export function statementLog({ onStatement }: Pick<DatabaseOptions, 'onStatement'>) {
  if (!onStatement) return {}
  return {
    log: ({ level, query, queryDurationMillis }: LogEvent) =>
      onStatement(query.sql, queryDurationMillis, level === 'error'),
  }
}
