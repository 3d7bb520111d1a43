import type { Database } from '../../db/database.ts'
import { DEFAULT_MARKET } from '../country-market.ts'
import { observationReader } from '../observations/observation-store.ts'

export type StoredMarketFit = {
  readonly trade: string
  readonly method: string
  readonly fittedAt: number
  readonly observations: number
  readonly document: string
}

export type PricingStore = ReturnType<typeof pricingStore>

export function pricingStore(db: Database, defaultMarket = DEFAULT_MARKET) {
  return {
    ...observationReader(db, defaultMarket),

    /** Devices whose real observations changed after a revision, with the newest revision among them. */
    async observedSince(revision: number): Promise<{ deviceIds: string[]; revision: number }> {
      const rows = await db.query
        .selectFrom('observed_device')
        .select(['device_id', 'revision'])
        .where('revision', '>', revision)
        .execute()
      return {
        deviceIds: rows.map((row) => row.device_id),
        revision: rows.reduce((newest, row) => Math.max(newest, row.revision), revision),
      }
    },

    /** Codes of the markets that organizations set. */
    async organizationMarkets(): Promise<ReadonlyMap<string, string>> {
      const rows = await db.query
        .selectFrom('organization')
        .select(['id', 'market'])
        .where('market', 'is not', null)
        .execute()
      return new Map(rows.map(({ id, market }) => [id, market ?? defaultMarket]))
    },

    async observedDevices(): Promise<string[]> {
      const rows = await db.query.selectFrom('observed_device').select('device_id').orderBy('device_id').execute()
      return rows.map((row) => row.device_id)
    },

    async countObservations(): Promise<number> {
      const { total } = await db.query
        .selectFrom('observation')
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },

    async fits(): Promise<StoredMarketFit[]> {
      const rows = await db.query.selectFrom('market_fit').selectAll().execute()
      return rows.map((row) => ({
        trade: row.trade,
        method: row.method,
        fittedAt: row.fitted_at,
        observations: row.observations,
        document: row.document,
      }))
    },

    async saveFits(fits: readonly StoredMarketFit[]): Promise<void> {
      await db.transaction(async (tx) => {
        const revision = await db.announceChange(tx, 'market')
        const rows = fits.map((fit) => ({
          trade: fit.trade,
          method: fit.method,
          fitted_at: fit.fittedAt,
          observations: fit.observations,
          document: fit.document,
          revision,
        }))
        await db.insertMany(tx, 'market_fit', rows, { conflictColumns: ['trade'] })
      })
    },
  }
}
