import type { Database } from '../db/database.ts'

export type DailyRate = { readonly currency: string; readonly day: string; readonly usdPerUnit: number }

export type ExchangeRateStore = ReturnType<typeof exchangeRateStore>

export function exchangeRateStore(db: Database) {
  return {
    /** The newest rate of each currency that is not from a later day. */
    async newest(day: string): Promise<DailyRate[]> {
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
        .select(['rate.currency', 'rate.day', 'rate.usd as usdPerUnit'])
        .orderBy('rate.currency')
        .execute()
    },
  }
}
