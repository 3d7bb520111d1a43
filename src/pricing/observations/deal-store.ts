import type { MarketGrade } from '../../catalog/grade.ts'
import type { Database } from '../../db/database.ts'
import { dayOf, startOfDay } from '../../lib/time.ts'
import type { StoredObservation } from './observation-reader-store.ts'

/**
 * Recorded purchases and sales of an organization as its own observations: a purchase is a trade-in price, a sale a sold price.
 * They are read from the appraisal outcomes, so that a correction takes effect at once and a deal never affects other
 * organizations.
 */
export function dealReader(db: Database) {
  return {
    /** The deals of one device since an instant, newest first. */
    async dealsOf(organizationId: string, deviceId: string, since: number): Promise<StoredObservation[]> {
      const rows = await db.query
        .selectFrom('appraisal_outcome')
        .innerJoin('organization', 'organization.id', 'appraisal_outcome.organization_id')
        .select(['appraisal_id', 'configuration', 'variant_id', 'grade', 'appraisal_outcome.market'])
        .select(['bought_cents', 'bought_on', 'sold_cents', 'sold_on', 'price_released'])
        .where('organization_id', '=', organizationId)
        .where('device_id', '=', deviceId)
        .where('configuration', 'is not', null)
        .where('bought_on', '>=', dayOf(since))
        .where('uses_deals', '=', 1)
        .orderBy('bought_on', 'desc')
        .limit(MAX_DEALS_PER_DEVICE)
        .execute()
      const deals = rows.flatMap((row) => {
        const observation = (side: 'quote' | 'sold', cents: number | null, day: string | null): StoredObservation[] =>
          cents === null || Number(cents) <= 0 || day === null
            ? []
            : [
                {
                  source: organizationId,
                  side,
                  market: row.market ?? '',
                  deviceId,
                  variantId: row.configuration ?? '',
                  exactVariantId: row.variant_id,
                  grade: row.grade as MarketGrade,
                  label: (row.grade ?? '').toLowerCase(),
                  lock: '',
                  cents: Number(cents),
                  observedAt: startOfDay(day),
                  listingId: `deal ${row.appraisal_id} ${side}`,
                  state: 'sold',
                  deal: { appraisalId: row.appraisal_id, isReleased: row.price_released === 1 },
                  listedAt: side === 'sold' && row.bought_on !== null ? startOfDay(row.bought_on) : null,
                },
              ]
        return [
          ...observation('sold', row.sold_cents, row.sold_on),
          ...observation('quote', row.bought_cents, row.bought_on),
        ]
      })
      return deals.sort((left, right) => right.observedAt - left.observedAt)
    },

    /** A step into an index per organization: a service with a million outcomes could not read them all at its start. */
    async organizationsWithDeals(): Promise<string[]> {
      const rows = await db.query
        .selectFrom('organization')
        .select('id')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('appraisal_outcome')
              .select('organization_id')
              .whereRef('organization_id', '=', 'organization.id')
              .where('configuration', 'is not', null),
          ),
        )
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}

/** The newest deals of a device are enough to estimate an organization's level. */
const MAX_DEALS_PER_DEVICE = 500
