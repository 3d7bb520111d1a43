import { createHash } from 'node:crypto'
import { type CompiledQuery, sql } from 'kysely'
import { type Actor, authorOf } from '../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../auth/audit-store.ts'
import { lockOrganization } from '../auth/organization-store.ts'
import type { Language } from '../contract/languages.ts'
import type { QuoteContactWire, QuoteSettlementWire, QuoteState } from '../contract/quotes.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { Database, Tx } from '../db/database.ts'
import type { QuoteTable } from '../db/schema.ts'
import type { NewEvent } from '../events/event.ts'
import { writeEvents } from '../events/event-store.ts'
import type { Encryption } from '../lib/encryption.ts'
import { limitReached } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS, dayOf, startOfDay } from '../lib/time.ts'
import type { RecordWrites } from '../records/record-store.ts'
import { type Quote, type QuotedDevice, requireChange } from './trade-in-quote.ts'

const MAX_OPEN_PER_CONTACT = 3
/** Prices that nobody kept are counted until the day is over. */
const UNKEPT_MS = 2 * DAY_MS
/** A customer who came before the end of the quote may still be at the counter. */
const ARRIVED_GRACE_MS = DAY_MS
const ROWS_PER_STEP = 200
const MAX_ATTEMPTS = 5

export type NewQuote = QuotedDevice & {
  readonly organizationId: string
  readonly channel: Quote['channel']
  readonly language: Language
  readonly validUntil: number
  /** Code in the address of the customer's page. */
  readonly token: string
  readonly contact: QuoteContactWire | null
  /** False for a price on the page, until the customer keeps it. */
  readonly isKept: boolean
  readonly now: number
}

/** How many prices the page may still calculate. */
export type PriceLimits = {
  readonly address: string
  readonly perAddressAndDay: number
  readonly perDay: number
}

export type RejectedPrice = 'address' | 'organization'

export type QuoteChange = {
  readonly state?: QuoteState
  readonly note?: string | undefined
  /** Null deletes it. */
  readonly contact?: QuoteContactWire | null
  /** The customer keeps the price. */
  readonly keeps?: boolean
}

export type QuoteStore = ReturnType<typeof quoteStore>

type QuoteDocument = QuotedDevice

/** Quotes read at a time for a report. */
const REPORT_ROWS = 500

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** Quotes of all organizations; names and contacts are encrypted. */
export function quoteStore(
  db: Database,
  encryption: Pick<Encryption, 'encrypt' | 'decrypt' | 'digest'>,
  /** A new number, such as `Q-7K4P-2M`. */
  newNumber: () => string,
) {
  const ownerOf = ({ organization_id, id }: Pick<QuoteTable, 'organization_id' | 'id'>) =>
    `quote ${organization_id} ${id}`

  function contactColumns(row: Pick<QuoteTable, 'organization_id' | 'id'>, contact: QuoteContactWire | null) {
    if (!contact) return { contact: null, contact_hash: null }
    const address = contact.email ?? contact.phone?.replace(/\D/g, '') ?? ''
    return {
      contact: encryption.encrypt(JSON.stringify(contact), ownerOf(row)),
      contact_hash: encryption.digest(address, `quote contact ${row.organization_id}`),
    }
  }

  function toQuote(row: QuoteTable): Quote {
    const document: QuoteDocument & { language: Language } = JSON.parse(row.document)
    return {
      ...document,
      organizationId: row.organization_id,
      id: row.id,
      revision: Number(row.revision),
      createdAt: Number(row.created_at),
      isKept: Number(row.is_kept) === 1,
      channel: row.channel as Quote['channel'],
      state: row.state as QuoteState,
      contact: row.contact === null ? null : JSON.parse(encryption.decrypt(row.contact, ownerOf(row))),
      validUntil: Number(row.valid_until),
      arrivedAt: toNumber(row.arrived_at),
      arrivedBy: row.arrived_by === null ? null : JSON.parse(row.arrived_by),
      endedAt: toNumber(row.ended_at),
      note: row.note,
      settlement: row.settlement === null ? null : JSON.parse(row.settlement),
    }
  }

  /** Without the customer, who is not decrypted for lists. */
  const toEntry = (row: QuoteTable) => toQuote({ ...row, contact: null })

  /** Throws if the contact of the row has as many open quotes as it may have. */
  async function assertBelowContactLimit(tx: Tx, row: Pick<QuoteTable, 'contact_hash' | 'id'>, now: number) {
    if (row.contact_hash === null) return
    const { count } = await tx
      .selectFrom('quote')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('contact_hash', '=', row.contact_hash)
      .where('state', 'in', ['open', 'arrived'])
      .where('valid_until', '>', now)
      .where('id', '!=', row.id)
      .executeTakeFirstOrThrow()
    if (Number(count) < MAX_OPEN_PER_CONTACT) return
    throw limitReached(
      'contact',
      `A contact can have at most ${MAX_OPEN_PER_CONTACT} open quotes. Cancel one first.`,
      reason('limit_open_quotes', { limit: MAX_OPEN_PER_CONTACT }),
    )
  }

  async function rejectedPrice(tx: Tx, row: QuoteTable, limits: PriceLimits): Promise<RejectedPrice | null> {
    const since = startOfDay(dayOf(row.created_at))
    const today = tx.selectFrom('quote').where('created_at', '>=', since)
    const count = async (rows: typeof today) =>
      Number((await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count)
    const ofAddress = await count(today.where('address_hash', '=', row.address_hash))
    if (ofAddress >= limits.perAddressAndDay) return 'address'
    const ofPage = today.where('organization_id', '=', row.organization_id).where('channel', '=', 'page')
    const ofOrganization = await count(ofPage.where('is_kept', 'in', [0, 1]))
    return ofOrganization >= limits.perDay ? 'organization' : null
  }

  const readRow = (tx: Tx, organizationId: string, id: string) =>
    tx
      .selectFrom('quote')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst()

  const findByToken = (tx: Tx, organizationId: string, token: string) =>
    tx
      .selectFrom('quote')
      .selectAll()
      .where('token_hash', '=', hashToken(token))
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()

  /** Rejects the transaction if another one changed the row meanwhile. */
  const update = (row: QuoteTable, columns: Partial<QuoteTable>) =>
    db.query
      .updateTable('quote')
      .set({
        ...columns,
        revision: sql<number>`case when revision = ${Number(row.revision)} then revision + 1 else -1 end`,
      })
      .where('organization_id', '=', row.organization_id)
      .where('id', '=', row.id)
      .compile()

  /** Columns of a change; throws if the quote is over. Null: nothing changes. */
  function changedColumns(row: QuoteTable, change: QuoteChange, author: AuthorWire | null, now: number) {
    const quote = toEntry(row)
    const { state, note, contact, keeps } = change
    const isMoved = state !== undefined && requireChange(quote, state, now)
    const columns: Partial<QuoteTable> = {
      ...(isMoved ? { state, ...(state === 'arrived' ? arrival(author, now) : { ended_at: now }) } : {}),
      ...(isMoved && note ? { note } : {}),
      ...(contact === undefined ? {} : contactColumns(row, contact)),
      ...(keeps ? { is_kept: 1 } : {}),
    }
    return { columns, isMoved }
  }

  const arrival = (author: AuthorWire | null, now: number) => ({
    arrived_at: now,
    arrived_by: author && JSON.stringify(authorOf(author)),
  })

  async function write(
    tx: Tx,
    row: QuoteTable,
    { columns, isMoved }: ReturnType<typeof changedColumns>,
    { keeps }: QuoteChange,
    now: number,
  ): Promise<QuoteTable> {
    await tx.executeQuery(update(row, columns))
    const after = { ...row, ...columns, revision: Number(row.revision) + 1 }
    const types = [...(keeps ? (['created'] as const) : []), ...(isMoved ? [after.state] : [])]
    await writeEvents(
      db,
      tx,
      types.map((type) => eventOf(toEntry(after), type as EventName, now)),
    )
    return after
  }

  return {
    /** Stores a quote, or says which limit of the page was reached. */
    async add(quote: NewQuote, limits: PriceLimits | null): Promise<Quote | RejectedPrice> {
      for (let attempt = 1; ; attempt++) {
        const row = toRow(quote, newNumber(), limits)
        const result = await db.transaction(async (tx) => {
          // Of two prices at the same moment the second counts the first.
          await lockOrganization(tx, quote.organizationId)
          const rejected = limits && (await rejectedPrice(tx, row, limits))
          if (rejected) return rejected
          await assertBelowContactLimit(tx, row, quote.now)
          if (await readRow(tx, quote.organizationId, row.id)) return null
          await tx.insertInto('quote').values(row).execute()
          if (quote.isKept) await writeEvents(db, tx, [eventOf(toEntry(row), 'created', quote.now)])
          return toQuote(row)
        })
        if (result !== null) return result
        if (attempt === MAX_ATTEMPTS) throw new Error('found no free number for a quote')
      }
    },

    async find(organizationId: string, id: string): Promise<Quote | null> {
      const row = await readRow(db.query, organizationId, id)
      return row && Number(row.is_kept) === 1 ? toQuote(row) : null
    },

    async findByToken(organizationId: string, token: string): Promise<Quote | null> {
      const row = await findByToken(db.query, organizationId, token)
      return row ? toQuote(row) : null
    },

    /** Newest first, without the customers. */
    /** Kept quotes of a period, oldest first, in batches and without their customers. */
    async *keptBetween(organizationId: string, from: number, to: number): AsyncGenerator<Quote[]> {
      for (let after = { createdAt: from, id: '' }; ; ) {
        const rows = await db.query
          .selectFrom('quote')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .where('is_kept', '=', 1)
          .where('created_at', '<', to)
          .where((eb) =>
            eb.or([
              eb('created_at', '>', after.createdAt),
              eb.and([eb('created_at', '=', after.createdAt), eb('id', '>', after.id)]),
            ]),
          )
          .orderBy('created_at')
          .orderBy('id')
          .limit(REPORT_ROWS)
          .execute()
        const last = rows.at(-1)
        if (!last) return
        yield rows.map(toEntry)
        after = { createdAt: Number(last.created_at), id: last.id }
      }
    },

    async list(organizationId: string, { state, after, limit, now }: ListQuery): Promise<Quote[]> {
      let rows = db.query
        .selectFrom('quote')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('is_kept', '=', 1)
      if (state === 'expired')
        rows = rows.where((eb) =>
          eb.or([eb('state', '=', 'expired'), eb.and([eb('state', '=', 'open'), eb('valid_until', '<', now)])]),
        )
      else if (state) rows = rows.where('state', '=', state)
      if (state === 'open') rows = rows.where('valid_until', '>=', now)
      if (after)
        rows = rows.where((eb) =>
          eb.or([
            eb('created_at', '<', after.createdAt),
            eb.and([eb('created_at', '=', after.createdAt), eb('id', '<', after.id)]),
          ]),
        )
      const found = await rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
      return found.map(toEntry)
    },

    /** A change by the shop; null if there is no such quote. */
    async change(
      organizationId: string,
      id: string,
      change: QuoteChange,
      author: AuthorWire & { readonly actor: Actor },
      now: number,
    ): Promise<Quote | null> {
      return db.transaction(async (tx) => {
        await lockOrganization(tx, organizationId)
        const row = await readRow(tx, organizationId, id)
        if (!row || Number(row.is_kept) !== 1) return null
        const changed = changedColumns(row, change, author, now)
        if (Object.keys(changed.columns).length === 0) return toQuote(row)
        if (change.contact) await assertBelowContactLimit(tx, { ...row, ...changed.columns }, now)
        const after = await write(tx, row, changed, change, now)
        await writeAuditEntry(tx, organizationId, author.actor, auditOf(after, change, changed.isMoved), now)
        return toQuote(after)
      })
    },

    /** A change by the customer, whose code names the quote; null if there is no such quote. */
    async changeByToken(
      organizationId: string,
      token: string,
      change: QuoteChange,
      now: number,
    ): Promise<Quote | null> {
      return db.transaction(async (tx) => {
        await lockOrganization(tx, organizationId)
        const row = await findByToken(tx, organizationId, token)
        if (!row) return null
        // A form that is sent twice.
        if (change.keeps && Number(row.is_kept) === 1) return toQuote(row)
        const changed = changedColumns(row, change, null, now)
        if (Object.keys(changed.columns).length === 0) return toQuote(row)
        if (change.contact) await assertBelowContactLimit(tx, { ...row, ...changed.columns }, now)
        return toQuote(await write(tx, row, changed, change, now))
      })
    },

    /** Rows that an appraisal of the device writes in its commit. Fails the commit if the quote changed meanwhile. */
    settlementWrites(
      quote: Quote,
      {
        state,
        settlement,
      }: { readonly state: 'arrived' | 'bought' | 'declined'; readonly settlement: QuoteSettlementWire },
      author: AuthorWire,
      now: number,
    ): RecordWrites {
      const columns: Partial<QuoteTable> = {
        state,
        appraisal_id: settlement.appraisal_id,
        settlement: JSON.stringify(settlement),
        ...(quote.arrivedAt === null ? arrival(author, now) : {}),
        ...(state === 'arrived' ? {} : { ended_at: now }),
      }
      const row = { organization_id: quote.organizationId, id: quote.id, revision: quote.revision } as QuoteTable
      const isMoved = state !== quote.state
      const after: Quote = { ...quote, state, settlement }
      return {
        tables: [],
        totals: [],
        statements: [update(row, columns)] as readonly CompiledQuery[],
        events: isMoved ? [eventOf(after, state, now)] : [],
      }
    },

    /** Ends quotes whose appraised device was bought or declined later, as one of several or without its quote. */
    async followOutcomes(now: number): Promise<void> {
      const rows = await db.query
        .selectFrom('quote')
        .innerJoin('appraisal_outcome as outcome', (join) =>
          join
            .onRef('outcome.organization_id', '=', 'quote.organization_id')
            .onRef('outcome.appraisal_id', '=', 'quote.appraisal_id'),
        )
        .selectAll('quote')
        .select(['outcome.status as outcome_status', 'outcome.bought_price'])
        .where('quote.state', '=', 'arrived')
        .limit(ROWS_PER_STEP)
        .execute()
      for (const { outcome_status: status, bought_price: price, ...row } of rows) {
        const state = status === 'declined' ? 'declined' : 'bought'
        const { settlement } = toEntry(row)
        const paid = settlement && { ...settlement, paid: toNumber(price) }
        await db.transaction(async (tx) => {
          await tx.executeQuery(update(row, { state, ended_at: now, settlement: paid && JSON.stringify(paid) }))
          await writeEvents(db, tx, [eventOf({ ...toEntry(row), state }, state, now)])
        })
      }
    },

    /** Ends quotes that are over; returns how many. Safe to kill at any time. */
    async expire(now: number): Promise<number> {
      let expired = 0
      for (;;) {
        const count = await db.transaction(async (tx) => {
          const rows = await tx
            .selectFrom('quote')
            .selectAll()
            .where((eb) =>
              eb.or([
                eb.and([eb('state', '=', 'open'), eb('valid_until', '<', now)]),
                eb.and([eb('state', '=', 'arrived'), eb('valid_until', '<', now - ARRIVED_GRACE_MS)]),
              ]),
            )
            .where('is_kept', '=', 1)
            .limit(ROWS_PER_STEP)
            .execute()
          for (const row of rows) {
            const columns = {
              state: 'expired',
              ended_at: Math.max(Number(row.valid_until), toNumber(row.arrived_at) ?? 0),
            }
            await tx.executeQuery(update(row, columns))
          }
          await writeEvents(
            db,
            tx,
            rows.map((row) => eventOf({ ...toEntry(row), state: 'expired' }, 'expired', now)),
          )
          return rows.length
        })
        expired += count
        if (count < ROWS_PER_STEP) return expired
      }
    },

    /** Deletes prices that nobody kept, and the customers of quotes that ended longer ago than their organization keeps them. */
    async enforceRetention(retentionDaysOf: (organizationId: string) => Promise<number>, now: number): Promise<void> {
      await db.transaction((tx) =>
        tx
          .deleteFrom('quote')
          .where('is_kept', '=', 0)
          .where('created_at', '<', now - UNKEPT_MS)
          .execute(),
      )
      const organizations = await db.query
        .selectFrom('quote')
        .select('organization_id')
        .distinct()
        .where('contact', 'is not', null)
        .where('ended_at', 'is not', null)
        .execute()
      for (const { organization_id: id } of organizations) {
        const before = now - (await retentionDaysOf(id)) * DAY_MS
        await db.transaction((tx) =>
          tx
            .updateTable('quote')
            .set({ contact: null, contact_hash: null, token_hash: null, note: null })
            .where('organization_id', '=', id)
            .where('contact', 'is not', null)
            .where('ended_at', '<', before)
            .execute(),
        )
      }
      // The address is only needed for the limit of its day.
      await db.transaction((tx) =>
        tx
          .updateTable('quote')
          .set({ address_hash: null })
          .where('address_hash', 'is not', null)
          .where('created_at', '<', now - UNKEPT_MS)
          .execute(),
      )
    },
  }

  function toRow(quote: NewQuote, id: string, limits: PriceLimits | null): QuoteTable {
    const { organizationId, channel, language, validUntil, token, contact, isKept, now, ...device } = quote
    const key = { organization_id: organizationId, id }
    return {
      ...key,
      ...contactColumns(key, contact),
      revision: 0,
      created_at: now,
      is_kept: isKept ? 1 : 0,
      channel,
      state: 'open',
      device_id: device.answers.deviceId,
      document: JSON.stringify({ ...device, language }),
      address_hash: limits && encryption.digest(limits.address, `quote address ${dayOf(now)}`),
      token_hash: hashToken(token),
      valid_until: validUntil,
      arrived_at: null,
      arrived_by: null,
      ended_at: null,
      note: null,
      appraisal_id: null,
      settlement: null,
    }
  }
}

type ListQuery = {
  readonly state?: QuoteState | undefined
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined
  readonly limit: number
  readonly now: number
}

const toNumber = (value: number | null) => (value === null ? null : Number(value))

type EventName = 'created' | Exclude<QuoteState, 'open'>

function eventOf(quote: Quote, name: EventName, now: number): NewEvent {
  return {
    type: `quote.${name}`,
    organizationId: quote.organizationId,
    subject: `quote ${quote.id}`,
    createdAt: now,
    data: {
      quote_id: quote.id,
      device_id: quote.answers.deviceId,
      offer: quote.offer.kind,
      price: quote.offer.price,
      currency: quote.currency,
      appraisal_id: quote.settlement?.appraisal_id ?? null,
    },
  }
}

/** Name and contact are never in the audit trail. */
function auditOf(row: QuoteTable, { contact }: QuoteChange, isMoved: boolean): AuditEntry {
  if (contact === null) return { action: 'quote.erased', subject: row.id }
  return { action: 'quote.changed', subject: row.id, detail: isMoved ? { state: row.state } : {} }
}
