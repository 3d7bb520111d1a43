import type { KnownDealStatus } from '../contract/appraisal.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { Database } from '../db/database.ts'
import { compileByKeyCount } from '../db/key-query.ts'
import { batchLoader } from '../lib/batch-loader.ts'
import { dayOf } from '../lib/time.ts'

/** An earlier offer, purchase or sale of a device by the same organization. */
export type KnownDeal = {
  readonly appraisalId: string
  readonly status: KnownDealStatus
  /** When it was recorded. */
  readonly at: number
  /** Day of the deal. */
  readonly date: string
  readonly price: number | null
  readonly currency: string
  /** Name of who recorded it. */
  readonly by: string
}

/** A device that is offered more often than this is suspicious enough by then. */
const MAX_KNOWN_DEALS = 20
const MAX_KEYS_PER_QUERY = 512

export type KnownDealsStore = ReturnType<typeof knownDealsStore>

/** What an organization knows of a device by its identifiers. */
export function knownDealsStore(db: Database) {
  const knownKeys = compileByKeyCount((size) =>
    db.query
      .selectFrom('appraisal_identifier')
      .select('identifier_key')
      .distinct()
      .where('identifier_key', 'in', Array(size).fill(''))
      .where('organization_id', '=', '')
      .compile(),
  )

  async function findKnown(keys: readonly OrganizationKey[]): Promise<Map<OrganizationKey, boolean>> {
    const found = await Promise.all(
      [...Map.groupBy(keys, organizationOf)].map(async ([organizationId, ofOrganization]) => {
        const { rows } = await db.query.executeQuery(knownKeys(ofOrganization.map(identifierOf), organizationId))
        return rows.map((row) => organizationKey(organizationId, row.identifier_key))
      }),
    )
    return new Map(found.flat().map((key) => [key, true]))
  }

  /** Most devices are appraised for the first time: one query says so for all that are appraised at the same moment. */
  const isKnown = batchLoader(findKnown, MAX_KEYS_PER_QUERY)

  const dealsOf = (organizationId: string, identifierKeys: readonly string[]) =>
    db.query
      .selectFrom('appraisal_identifier as known')
      .leftJoin('appraisal_outcome as outcome', (join) =>
        join
          .onRef('outcome.organization_id', '=', 'known.organization_id')
          .onRef('outcome.appraisal_id', '=', 'known.appraisal_id'),
      )
      .leftJoin('stock_item as item', (join) =>
        join
          .onRef('item.organization_id', '=', 'known.organization_id')
          .onRef('item.appraisal_id', '=', 'known.appraisal_id'),
      )
      .select([
        'known.appraisal_id',
        'known.offer',
        'known.currency',
        'known.is_declined',
        'known.created_by',
        'known.created_at',
        'outcome.status',
        'outcome.bought_price',
        'outcome.bought_currency',
        'outcome.bought_on',
        'outcome.sold_price',
        'outcome.sold_currency',
        'outcome.sold_on',
        'outcome.declined_on',
        'outcome.updated_at',
        'item.bought_at',
        'item.bought_by',
        'item.sold_at',
        'item.sold_by',
      ])
      .where('known.organization_id', '=', organizationId)
      .where('known.identifier_key', 'in', identifierKeys)

  /** By the index of what is in stock: the purchase may be older than the offers that are read. */
  function inStock(organizationId: string, identifierKeys: readonly string[]): Promise<KnownRow[]> {
    const stocked = db.query
      .selectFrom('stock_identity')
      .select('appraisal_id')
      .where('organization_id', '=', organizationId)
      .where('identifier_key', 'in', identifierKeys)
    return dealsOf(organizationId, identifierKeys).where('known.appraisal_id', 'in', stocked).execute()
  }

  return {
    /** Newest first, one in stock always among them. No query without an identifier. */
    async find(organizationId: string, identifierKeys: readonly string[]): Promise<readonly KnownDeal[]> {
      const known = await Promise.all(identifierKeys.map((key) => isKnown(organizationKey(organizationId, key))))
      if (!known.some(Boolean)) return []
      // A device with two IMEIs has two rows of the same appraisal.
      const limit = MAX_KNOWN_DEALS * identifierKeys.length
      const newest = await dealsOf(organizationId, identifierKeys)
        .orderBy('known.appraisal_id', 'desc')
        .limit(limit)
        .execute()
      const stocked = newest.length < limit ? [] : await inStock(organizationId, identifierKeys)
      const distinct = [...new Map([...stocked, ...newest].map((row) => [row.appraisal_id, row])).values()]
      return distinct
        .slice(0, MAX_KNOWN_DEALS)
        .sort((left, right) => (left.appraisal_id < right.appraisal_id ? 1 : -1))
        .map(toKnownDeal)
    },
  }
}

/** An identifier of an organization as one key; ids of organizations have no spaces. */
type OrganizationKey = `${string} ${string}`
const organizationKey = (organizationId: string, identifierKey: string): OrganizationKey =>
  `${organizationId} ${identifierKey}`
const organizationOf = (key: OrganizationKey) => key.slice(0, key.indexOf(' '))
const identifierOf = (key: OrganizationKey) => key.slice(key.indexOf(' ') + 1)

type KnownRow = {
  readonly appraisal_id: string
  readonly offer: number | null
  readonly currency: string
  readonly is_declined: number
  readonly created_by: string
  readonly created_at: number
  readonly status: string | null
  readonly bought_price: number | null
  readonly bought_currency: string | null
  readonly bought_on: string | null
  readonly sold_price: number | null
  readonly sold_currency: string | null
  readonly sold_on: string | null
  readonly declined_on: string | null
  readonly updated_at: number | null
  readonly bought_at: number | null
  readonly bought_by: string | null
  readonly sold_at: number | null
  readonly sold_by: string | null
}

function toKnownDeal(row: KnownRow): KnownDeal {
  const deal = (
    status: KnownDealStatus,
    at: number | null,
    date: string | null,
    price: number | null,
    currency: string | null,
    author: string | null,
  ): KnownDeal => ({
    appraisalId: row.appraisal_id,
    status,
    at: Number(at ?? row.created_at),
    date: date ?? dayOf(Number(row.created_at)),
    price: price === null ? null : Number(price),
    currency: currency ?? row.currency,
    by: (JSON.parse(author ?? row.created_by) as AuthorWire).name,
  })
  if (row.status === 'sold')
    return deal('sold', row.sold_at, row.sold_on, row.sold_price, row.sold_currency, row.sold_by)
  if (row.status === 'bought')
    return deal('in_stock', row.bought_at, row.bought_on, row.bought_price, row.bought_currency, row.bought_by)
  if (row.status === 'declined')
    return deal('declined', row.updated_at, row.declined_on, row.offer, row.currency, row.created_by)
  const status = Number(row.is_declined) === 1 ? 'declined' : 'offered'
  return deal(status, row.created_at, null, row.offer, row.currency, row.created_by)
}
