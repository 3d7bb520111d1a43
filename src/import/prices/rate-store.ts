import type { Database, Tx } from '../../db/database.ts'

/** US dollars for one unit of a currency on a day. */
export type UsdRate = { readonly currency: string; readonly day: string; readonly usd: number }

export async function writeRates(db: Database, tx: Tx, rates: readonly UsdRate[]): Promise<void> {
  await db.insertMany(tx, 'exchange_rate', rates, { conflictColumns: ['currency', 'day'] })
}
