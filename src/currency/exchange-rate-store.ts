import type { Database, Tx } from '../db/database.ts'
import type { ImportedRate } from './rate-lookup.ts'

export type ExchangeRateStore = ReturnType<typeof exchangeRateStore>

/** The imported rates; those bundled with the program are not in the database. */
export function exchangeRateStore(db: Database) {
  return {
    /** The newest rate of each currency that is not from a later day. */
    async newest(day: string): Promise<ImportedRate[]> {
      return db.query
        .selectFrom('exchange_rate as rate')
        .innerJoin(
          (query) =>
            query
              .selectFrom('exchange_rate')
              .select(['currency', (select) => select.fn.max('day').as('newest')])
              .where('day', '<=', day)
              .groupBy('currency')
              .as('last'),
          (join) => join.onRef('last.currency', '=', 'rate.currency').onRef('last.newest', '=', 'rate.day'),
        )
        .select(['rate.currency', 'rate.day', 'rate.usd'])
        .orderBy('rate.currency')
        .execute()
    },

    /** Rates of some currencies from a day on, and for each the newest before it. */
    async since(day: string, currencies: readonly string[]): Promise<ImportedRate[]> {
      if (currencies.length === 0) return []
      const later = await db.query
        .selectFrom('exchange_rate')
        .select(['currency', 'day', 'usd'])
        .where('currency', 'in', [...currencies])
        .where('day', '>', day)
        .execute()
      return [...(await this.newest(day)).filter(({ currency }) => currencies.includes(currency)), ...later]
    },

    async all(): Promise<ImportedRate[]> {
      return db.query.selectFrom('exchange_rate').select(['currency', 'day', 'usd']).execute()
    },

    /** Announce the topic `rates` in the last transaction. */
    async write(tx: Tx, rates: readonly ImportedRate[]): Promise<void> {
      await db.insertMany(tx, 'exchange_rate', rates, { conflictColumns: ['currency', 'day'] })
    },
  }
}
