import type { AliasedExpression } from 'kysely'
import type { ConditionClass } from '../../catalog/grade.ts'
import type { Database } from '../../db/database.ts'
import type { ObservationTable } from '../../db/schema.ts'
import { idLowerBound, sortableIdShape } from '../../lib/id.ts'
import { DAY_MS, dayOf } from '../../lib/time.ts'
import type { FirstPriceRanges } from '../first-price-ranges.ts'
import { createMoveLimit, MOVE_WINDOW_MS, type MoveLimits, type OwnPrice } from '../price-move.ts'
import { COMMON_SCOPE } from './observation-store.ts'

type AliasedTable = AliasedExpression<ObservationTable, 'price'>

/** Older prices say little about today's. */
const MAX_AGE_MS = 180 * DAY_MS
/** The newest are enough for a median. */
const MAX_ROWS = 500

/** The own prices and deals of a device in an organization, or of the common market, and which of them arrived within a day. */
async function ownPricesOf(db: Database, organizationId: string, deviceId: string, now: number): Promise<OwnPrice[]> {
  const firstRecentRun = idLowerBound(sortableIdShape('imp'), now - MOVE_WINDOW_MS)
  const stored = (prices: AliasedTable) =>
    db.query
      .selectFrom(prices)
      .innerJoin('observation_subject', 'observation_subject.id', 'subject_id')
      .innerJoin('observation_terms', 'observation_terms.id', 'terms_id')
      .innerJoin('observation_source', 'observation_source.id', 'source_id')
      .leftJoin('observation_import', 'observation_import.id', 'import_id')
      .select(['configuration', 'grade', 'side', 'cents', 'observed_at', 'name', 'observation_import.run_id'])
      .where('observation_subject.organization_id', '=', organizationId)
      .where('device_id', '=', deviceId)
      .where('observed_at', '>=', now - MAX_AGE_MS)
      .orderBy('observed_at', 'desc')
      .limit(MAX_ROWS)
      .execute()
  const current = db.query.selectFrom('observation').selectAll().as('price')
  // A listing whose price was replaced within the day still says what the price was before.
  const replaced = db.query
    .selectFrom('replaced_observation')
    .innerJoin('observation_import as replacing', 'replacing.id', 'replaced_by')
    .select(['source_id', 'listing_id', 'subject_id', 'terms_id', 'cents', 'observed_at', 'listed_at', 'import_id'])
    .where('replacing.run_id', '>=', firstRecentRun)
    .as('price')
  const [rows, replacedRows] = [await stored(current), await stored(replaced)]
  const isRecent = (run: string | null) => run !== null && run >= firstRecentRun
  const observed = [...rows, ...replacedRows.filter(({ run_id }) => !isRecent(run_id))].map((row) => ({
    configuration: row.configuration,
    grade: row.grade as ConditionClass,
    isQuote: row.side === 'quote',
    cents: row.cents,
    observedAt: row.observed_at,
    source: organizationId === COMMON_SCOPE ? row.name : '',
    isRecent: isRecent(row.run_id),
  }))
  return organizationId === COMMON_SCOPE
    ? observed
    : [...observed, ...(await dealsOf(db, organizationId, deviceId, now))]
}

async function dealsOf(db: Database, organizationId: string, deviceId: string, now: number): Promise<OwnPrice[]> {
  const rows = await db.query
    .selectFrom('appraisal_outcome')
    .select(['configuration', 'grade', 'bought_cents', 'bought_on', 'sold_cents', 'sold_on', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .where('device_id', '=', deviceId)
    .where('configuration', 'is not', null)
    .where('bought_on', '>=', dayOf(now - MAX_AGE_MS))
    .orderBy('bought_on', 'desc')
    .limit(MAX_ROWS)
    .execute()
  const firstRecentAt = now - MOVE_WINDOW_MS
  return rows.flatMap((row) => {
    const common = {
      configuration: row.configuration ?? '',
      grade: (row.grade ?? 'Ungraded') as ConditionClass,
      source: '',
    }
    const wasChanged = row.updated_at >= firstRecentAt
    const deal = (cents: number | null, day: string | null, isQuote: boolean, isRecent: boolean): OwnPrice[] =>
      cents === null || day === null
        ? []
        : [{ ...common, isQuote, cents: Number(cents), observedAt: Date.parse(day), isRecent }]
    // A sale changes the record of a purchase that may be older.
    const isOldPurchase = row.sold_cents !== null && row.bought_on !== null && row.bought_on < dayOf(firstRecentAt)
    return [
      ...deal(row.bought_cents, row.bought_on, true, wasChanged && !isOldPurchase),
      ...deal(row.sold_cents, row.sold_on, false, wasChanged),
    ]
  })
}

/** The limits of devices from their stored prices. */
export const openMoveLimits =
  (db: Database, firstPricesAt: (now: number) => FirstPriceRanges): MoveLimits =>
  async (organizationId, deviceId, now) =>
    createMoveLimit(deviceId, await ownPricesOf(db, organizationId, deviceId, now), firstPricesAt(now))
