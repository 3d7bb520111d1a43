import type { Database, Tx } from '../../db/open.ts'

/** US dollars for one unit of a currency on a day. */
export type Rate = { readonly currency: string; readonly day: string; readonly usd: number }

export async function writeRates(db: Database, tx: Tx, rates: readonly Rate[]): Promise<void> {
  await db.insertMany(tx, 'exchange_rate', rates, { conflict: ['currency', 'day'] })
}
