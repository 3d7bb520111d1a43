import type { Database } from '../db/open.ts'

export type DayRate = { readonly currency: string; readonly day: string; readonly usd: number }

export type ExchangeStore = ReturnType<typeof exchangeStore>

export function exchangeStore(db: Database) {
  return {
    /** The newest rate of each currency that is not from a later day. */
    async newest(day: string): Promise<DayRate[]> {
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
  }
}
