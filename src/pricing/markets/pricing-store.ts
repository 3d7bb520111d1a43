import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { countRows, estimateRows } from '../../db/row-count.ts'
import { DEFAULT_MARKET } from '../country-market.ts'
import { dealReader } from '../observations/deal-store.ts'
import {
  type DefaultMarket,
  observationReader,
  type StoredObservation,
} from '../observations/observation-reader-store.ts'

export type StoredMarketFit = {
  readonly trade: string
  readonly method: string
  readonly fittedAt: number
  readonly observations: number
  readonly document: string
}

export type PricingStore = ReturnType<typeof pricingStore>

const MAX_COUNTED_OBSERVATIONS = 20_000

export function pricingStore(db: Database, defaultMarket: DefaultMarket = DEFAULT_MARKET) {
  const observations = observationReader(db, defaultMarket)
  const deals = dealReader(db)
  return {
    ...observations,

    /** An organization's own prices of a device, newest first: contributed prices and prices of its deals. */
    async ownObservationsOf(organizationId: string, deviceId: string, since: number): Promise<StoredObservation[]> {
      const contributed = await observations.ownObservationsOf(organizationId, deviceId, since)
      const dealRows = await deals.dealsOf(organizationId, deviceId, since)
      if (dealRows.length === 0) return contributed
      return [...contributed, ...dealRows].sort((left, right) => right.observedAt - left.observedAt)
    },

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
      return new Map(rows.flatMap(({ id, market }) => (market === null ? [] : [[id, market]])))
    },

    /** Organizations that have prices or deals of their own. */
    async organizationsWithPrices(): Promise<string[]> {
      const rows = await db.query
        .selectFrom('observation_source')
        .select('organization_id')
        .distinct()
        .where('organization_id', '<>', '')
        .execute()
      return [...rows.map((row) => row.organization_id), ...(await deals.organizationsWithDeals())]
    },

    /** Organizations whose own prices changed after a revision, with the newest revision among them. */
    async ownPricesChangedSince(revision: number): Promise<{ organizationIds: string[]; revision: number }> {
      const rows = await db.query
        .selectFrom('organization_observed_device')
        .select('organization_id')
        .select(({ fn }) => fn.max('revision').as('newest'))
        .where('revision', '>', revision)
        .groupBy('organization_id')
        .execute()
      return {
        organizationIds: rows.map((row) => row.organization_id),
        revision: rows.reduce((newest, row) => Math.max(newest, Number(row.newest)), revision),
      }
    },

    /** The devices whose own prices an organization changed last. */
    async newestOwnDevices(organizationId: string, limit: number): Promise<string[]> {
      const rows = await db.query
        .selectFrom('organization_observed_device')
        .select('device_id')
        .where('organization_id', '=', organizationId)
        .orderBy('revision', 'desc')
        .orderBy('device_id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.device_id)
    },

    async observedDevices(): Promise<string[]> {
      const rows = await db.query.selectFrom('observed_device').select('device_id').orderBy('device_id').execute()
      return rows.map((row) => row.device_id)
    },

    /**
     * Observations of the common market: own prices of organizations move no level of it. Of very many all are estimated, for
     * counting some of them would read the whole table.
     */
    async countObservations(): Promise<number> {
      const total = await estimateRows(db, 'observation')
      if (total > MAX_COUNTED_OBSERVATIONS) return total
      const sources = await observations.commonSourceIds()
      return sources.length === 0 ? 0 : countRows(db, 'observation', sql`source_id in (${sql.join(sources)})`)
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
        // A country whose prices were all removed must not keep its old fit.
        await tx.deleteFrom('market_fit').execute()
        await db.insertMany(tx, 'market_fit', rows, { conflictColumns: ['trade'] })
      })
    },
  }
}
