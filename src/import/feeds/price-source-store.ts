/** What a price service was asked: requests of the day, devices, and the listings that it no longer has. */
import { sql } from 'kysely'
import type { Device } from '../../catalog/device.ts'
import type { Database } from '../../db/database.ts'
import { COMMON_SCOPE, openObservationDimensions, type TermsRow } from '../../pricing/observations/observation-store.ts'
import type { QueryState } from './price-queries.ts'

export type PriceSourceUse = {
  /** Requests that were sent on `day`. */
  readonly requestsToday: number
  /** No request is sent before, because the service asked to wait. */
  readonly waitsUntil: number | null
  readonly devices: number
  /** Devices that were asked about since `freshSince`. */
  readonly freshDevices: number
  readonly listings: number
}

export type FetchedQuery = {
  /** Empty if everything was asked for at once. */
  readonly deviceId: string
  readonly fetchedAt: number
  readonly listings: number
  /** Whether the service returned all its listings of the device. */
  readonly isComplete: boolean
}

const LISTINGS_PER_STEP = 500
const DEVICES_PER_QUERY = 200

export function priceSourceStore(db: Database) {
  async function findActive(sourceId: number, deviceIds: readonly string[] | null, before: number) {
    const active = db.query
      .selectFrom('observation')
      .innerJoin('observation_subject', 'observation_subject.id', 'subject_id')
      .innerJoin('observation_terms', 'observation_terms.id', 'terms_id')
      .select(['listing_id', 'side', 'grade', 'label', 'lock', 'paid_in', 'market'])
      .where('source_id', '=', sourceId)
      .where('organization_id', '=', COMMON_SCOPE)
      .where('state', '=', 'active')
      .where('side', '=', 'ask')
      .where('observed_at', '<', before)
    return (deviceIds === null ? active : active.where('device_id', 'in', deviceIds)).execute()
  }

  return {
    /** Takes one request from the budget of the day; false if it is used up. */
    async takeRequest(feed: string, day: string, perDay: number): Promise<boolean> {
      const { numUpdatedRows } = await db.transaction((tx) =>
        tx
          .updateTable('feed')
          .set({
            requests: sql<number>`case when requests_on = ${day} then requests + 1 else 1 end`,
            requests_on: day,
          })
          .where('name', '=', feed)
          .where(({ or, eb }) =>
            or([eb('requests_on', 'is', null), eb('requests_on', '<>', day), eb('requests', '<', perDay)]),
          )
          .executeTakeFirstOrThrow(),
      )
      return Number(numUpdatedRows) > 0
    },

    async waitUntil(feed: string, at: number | null): Promise<void> {
      await db.transaction((tx) => tx.updateTable('feed').set({ waits_until: at }).where('name', '=', feed).execute())
    },

    async useOf(feed: string, day: string, freshSince: number): Promise<PriceSourceUse> {
      const row = await db.query
        .selectFrom('feed')
        .select(['requests_on', 'requests', 'waits_until'])
        .where('name', '=', feed)
        .executeTakeFirst()
      const asked = await db.query
        .selectFrom('feed_query')
        .select(({ fn }) => [fn.countAll<number>().as('devices'), fn.sum<number | null>('listings').as('listings')])
        .select(sql<number | null>`sum(case when fetched_at >= ${freshSince} then 1 else 0 end)`.as('fresh'))
        .where('feed', '=', feed)
        .executeTakeFirstOrThrow()
      return {
        requestsToday: row?.requests_on === day ? row.requests : 0,
        waitsUntil: row?.waits_until ?? null,
        devices: Number(asked.devices),
        freshDevices: Number(asked.fresh ?? 0),
        listings: Number(asked.listings ?? 0),
      }
    },

    async queryStates(feed: string): Promise<ReadonlyMap<string, QueryState>> {
      const rows = await db.query
        .selectFrom('feed_query')
        .select(['device_id', 'fetched_at', 'listings'])
        .where('feed', '=', feed)
        .execute()
      return new Map(rows.map((row) => [row.device_id, { fetchedAt: row.fetched_at, listings: row.listings }]))
    },

    async saveQueries(feed: string, queries: readonly FetchedQuery[]): Promise<void> {
      const rows = queries.map(({ deviceId, fetchedAt, listings }) => ({
        feed,
        device_id: deviceId,
        fetched_at: fetchedAt,
        listings,
      }))
      if (rows.length === 0) return
      await db.transaction((tx) =>
        db.insertMany(tx, 'feed_query', rows, {
          conflictColumns: ['feed', 'device_id'],
          updateColumns: ['fetched_at', 'listings'],
        }),
      )
    },

    /** Appraisals and watches by device. Devices in stock were appraised before. */
    async interest(devices: readonly Device[]): Promise<ReadonlyMap<string, number>> {
      const interest = new Map<string, number>()
      const add = (deviceId: string, count: number) => interest.set(deviceId, (interest.get(deviceId) ?? 0) + count)
      const appraised = await db.query
        .selectFrom('appraised_device')
        .select('device_id')
        .select(({ fn }) => fn.sum<number>('total').as('total'))
        .groupBy('device_id')
        .execute()
      for (const { device_id, total } of appraised) if (Number(total) > 0) add(device_id, Number(total))
      const watched = await db.query
        .selectFrom('watch')
        .select('subject')
        .distinct()
        .where('kind', '=', 'variant')
        .execute()
      const subjects = new Set(watched.map(({ subject }) => subject))
      if (subjects.size > 0) {
        for (const { id, variants } of devices) if (variants.some((variant) => subjects.has(variant.id))) add(id, 1)
      }
      return interest
    },

    /**
     * Ends asking prices of a source that were last seen before `before`: of some devices, or of all (null). They keep their
     * price and the day they were last seen. Returns their number.
     */
    async endListings(source: string, deviceIds: readonly string[] | null, before: number): Promise<number> {
      const row = await db.query
        .selectFrom('observation_source')
        .select('id')
        .where('name', '=', source)
        .where('organization_id', '=', COMMON_SCOPE)
        .executeTakeFirst()
      if (!row) return 0
      const { terms } = openObservationDimensions(db, COMMON_SCOPE)
      let ended = 0
      for (const step of deviceIds === null ? [null] : chunks(deviceIds, DEVICES_PER_QUERY)) {
        const active = await findActive(row.id, step, before)
        const goneTerms = ({ listing_id: _, ...stated }: (typeof active)[number]): TermsRow => ({
          ...stated,
          state: 'gone',
        })
        await terms.insertMissing(active.map(goneTerms))
        const byTerms = Map.groupBy(active, (listing) => terms.idOf(goneTerms(listing)))
        for (const [termsId, listings] of byTerms) {
          if (termsId === undefined) throw new Error('Terms that were just stored have no id.')
          for (const page of chunks(listings, LISTINGS_PER_STEP)) {
            await db.transaction((tx) =>
              tx
                .updateTable('observation')
                .set({ terms_id: termsId })
                .where('source_id', '=', row.id)
                .where(
                  'listing_id',
                  'in',
                  page.map(({ listing_id }) => listing_id),
                )
                // A newer price of another process stays.
                .where('observed_at', '<', before)
                .execute(),
            )
          }
        }
        ended += active.length
      }
      return ended
    },
  }
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
