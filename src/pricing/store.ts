import { sql } from 'kysely'
import type { Database, Tx } from '../db/open.ts'
import type { ExchangeRateTable, ObservationTable } from '../db/schema.ts'
import type { Rung } from './condition.ts'
import type { ListingState, Observation, Side } from './observation.ts'

/** An observation with what only the service needs to know of it. */
export type HeldObservation = Observation & {
  /** The variant it was of, or null where the source did not tell its colour. */
  readonly exactVariantId: string | null
  readonly deviceId: string
}

export type StoredFit = {
  readonly trade: string
  readonly method: string
  readonly fittedAt: number
  readonly observations: number
  readonly document: string
}

/** Beyond this an older observation of a device adds nothing the newer ones do not say. */
const MOST_PER_DEVICE = 20_000
/** For learning the market as a whole, a few of each configuration are enough. */
const LEARNT_PER_CONFIGURATION = 64

export type PricingStore = ReturnType<typeof pricingStore>

export function pricingStore(db: Database) {
  return {
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

    async observedDevices(): Promise<string[]> {
      const rows = await db.query.selectFrom('observed_device').select('device_id').orderBy('device_id').execute()
      return rows.map((row) => row.device_id)
    },

    /** The real observations of a device, newest first. */
    async observationsOf(deviceId: string, since: number): Promise<HeldObservation[]> {
      const rows = await db.query
        .selectFrom('observation')
        .selectAll()
        .where('device_id', '=', deviceId)
        .where('observed_at', '>=', since)
        .orderBy('observed_at', 'desc')
        .orderBy('source')
        .orderBy('listing_id')
        .limit(MOST_PER_DEVICE)
        .execute()
      return rows.map(heldObservation)
    },

    /** The newest few of each configuration of some devices, to learn the market from. */
    async sampleOf(deviceIds: readonly string[], since: number): Promise<HeldObservation[]> {
      const ranked = db.query
        .selectFrom('observation')
        .selectAll()
        .select(
          sql<number>`row_number() over (partition by device_id, configuration, side, rung order by observed_at desc, source, listing_id)`.as(
            'place',
          ),
        )
        .where('device_id', 'in', deviceIds)
        .where('observed_at', '>=', since)
      const rows = await db.query
        .selectFrom(ranked.as('ranked'))
        .selectAll()
        .where('place', '<=', LEARNT_PER_CONFIGURATION)
        .execute()
      return rows.map(heldObservation)
    },

    async countObservations(): Promise<number> {
      const { total } = await db.query
        .selectFrom('observation')
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },

    async fits(): Promise<StoredFit[]> {
      const rows = await db.query.selectFrom('market_fit').selectAll().execute()
      return rows.map((row) => ({
        trade: row.trade,
        method: row.method,
        fittedAt: row.fitted_at,
        observations: row.observations,
        document: row.document,
      }))
    },

    async saveFits(fits: readonly StoredFit[]): Promise<void> {
      await db.transaction(async (tx) => {
        const revision = await db.announce(tx, 'market')
        const rows = fits.map((fit) => ({
          trade: fit.trade,
          method: fit.method,
          fitted_at: fit.fittedAt,
          observations: fit.observations,
          document: fit.document,
          revision,
        }))
        await db.insertMany(tx, 'market_fit', rows, { conflict: ['trade'] })
      })
    },

    async rates(): Promise<ExchangeRateTable[]> {
      return db.query.selectFrom('exchange_rate').selectAll().orderBy('currency').orderBy('day').execute()
    },
  }
}

/** Writes observations of different listings; the newest of a listing stays whatever order they come in. */
export async function writeObservations(db: Database, rows: readonly ObservationTable[]): Promise<void> {
  const options = { conflict: ['source', 'listing_id'], newer: 'observed_at', distinct: true }
  await db.transaction((tx) => db.insertMany(tx, 'observation', rows, options))
}

/** Tells every process which devices have new observations. */
export async function announceObserved(db: Database, deviceIds: Iterable<string>): Promise<void> {
  await db.transaction(async (tx) => {
    const revision = await db.announce(tx, 'market')
    const rows = Array.from(deviceIds, (device_id) => ({ device_id, revision }))
    await db.insertMany(tx, 'observed_device', rows, { conflict: ['device_id'], distinct: true })
  })
}

/** Whether anything of a source is stored; nothing has to be looked up for one that is new. */
export async function isHeldSource(tx: Tx, source: string): Promise<boolean> {
  const row = await tx
    .selectFrom('observation')
    .select('listing_id')
    .where('source', '=', source)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** When what is stored of these listings was observed, by source and listing. */
export async function heldListings(
  tx: Tx,
  source: string,
  listingIds: readonly string[],
): Promise<Map<string, { observedAt: number; cents: number }>> {
  const rows = await tx
    .selectFrom('observation')
    .select(['listing_id', 'observed_at', 'cents'])
    .where('source', '=', source)
    .where('listing_id', 'in', listingIds)
    .execute()
  return new Map(rows.map((row) => [row.listing_id, { observedAt: row.observed_at, cents: row.cents }]))
}

function heldObservation(row: ObservationTable): HeldObservation {
  return {
    source: row.source,
    side: row.side as Side,
    deviceId: row.device_id,
    variantId: row.configuration,
    exactVariantId: row.variant_id,
    rung: row.rung as Rung,
    label: row.label,
    lock: row.lock,
    cents: row.cents,
    observedAt: row.observed_at,
    listingId: row.listing_id,
    state: row.state as ListingState,
    listedAt: row.listed_at,
  }
}
