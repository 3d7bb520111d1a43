import { sql } from 'kysely'
import { openNames } from '../db/names.ts'
import type { Database, Tx } from '../db/open.ts'
import type { ObservationSubjectTable, ObservationTable, ObservationTermsTable } from '../db/schema.ts'
import type { Rung } from './condition.ts'
import type { ListingState, NewObservation, Observation, Side, Subject, Terms } from './observation.ts'

/** An observation with what only the service needs to know of it. */
export type HeldObservation = Observation & {
  /** The variant it was of, or null where the source did not tell its colour. */
  readonly exactVariantId: string | null
  readonly deviceId: string
}

/** Beyond this an older observation of a device adds nothing the newer ones do not say. */
const MOST_PER_DEVICE = 20_000
/** For learning the market as a whole, a few of each configuration are enough. */
const LEARNT_PER_CONFIGURATION = 64

type SubjectRow = Pick<ObservationSubjectTable, 'device_id' | 'configuration' | 'variant_id'>
type TermsRow = Omit<ObservationTermsTable, 'id'>

function openObservationNames(db: Database) {
  return {
    sources: openNames(db, 'observation_source', ['name']),
    subjects: openNames(db, 'observation_subject', ['device_id', 'configuration', 'variant_id']),
    terms: openNames(db, 'observation_terms', ['side', 'rung', 'label', 'lock', 'paid_in', 'state']),
  }
}

export function observationReader(db: Database) {
  const { sources, terms } = openObservationNames(db)
  const columns = ['source_id', 'listing_id', 'subject_id', 'terms_id', 'cents', 'observed_at', 'listed_at'] as const

  async function subjectsOf(deviceIds: readonly string[]): Promise<ReadonlyMap<number, SubjectRow>> {
    const rows = await db.query
      .selectFrom('observation_subject')
      .selectAll()
      .where('device_id', 'in', deviceIds)
      .execute()
    return new Map(rows.map((row) => [row.id, row]))
  }

  /** The rows with their texts; each text is one in memory, however many rows it belongs to. */
  async function withTexts(
    rows: readonly ObservationTable[],
    subjects: ReadonlyMap<number, SubjectRow>,
  ): Promise<HeldObservation[]> {
    const sourceOf = await sources.textsOf(rows.map((row) => row.source_id))
    const termsOf = await terms.textsOf(rows.map((row) => row.terms_id))
    return rows.map((row) => {
      const source = sourceOf.get(row.source_id)
      const subject = subjects.get(row.subject_id)
      const said = termsOf.get(row.terms_id)
      if (!source || !subject || !said) throw new Error(`Observation ${row.listing_id} names what is not stored.`)
      return heldObservation(row, source.name, subject, said)
    })
  }

  return {
    /** The real observations of a device, newest first. */
    async observationsOf(deviceId: string, since: number): Promise<HeldObservation[]> {
      const subjects = await subjectsOf([deviceId])
      if (subjects.size === 0) return []
      const rows = await db.query
        .selectFrom('observation')
        .select(columns)
        .where('subject_id', 'in', [...subjects.keys()])
        .where('observed_at', '>=', since)
        .orderBy('observed_at', 'desc')
        .orderBy('source_id')
        .orderBy('listing_id')
        .limit(MOST_PER_DEVICE)
        .execute()
      return withTexts(rows, subjects)
    },

    /** The newest few of each configuration of some devices, to learn the market from. */
    async sampleOf(deviceIds: readonly string[], since: number): Promise<HeldObservation[]> {
      const subjects = await subjectsOf(deviceIds)
      if (subjects.size === 0) return []
      const ranked = db.query
        .selectFrom('observation')
        .innerJoin('observation_subject', 'observation_subject.id', 'subject_id')
        .innerJoin('observation_terms', 'observation_terms.id', 'terms_id')
        .select(columns)
        .select(
          sql<number>`row_number() over (partition by device_id, configuration, side, rung order by observed_at desc, source_id, listing_id)`.as(
            'place',
          ),
        )
        .where('device_id', 'in', deviceIds)
        .where('observed_at', '>=', since)
      const rows = await db.query
        .selectFrom(ranked.as('ranked'))
        .select(columns)
        .where('place', '<=', LEARNT_PER_CONFIGURATION)
        .execute()
      return withTexts(rows, subjects)
    },
  }
}

/** Gives new observations the form they are stored in. What they share is stored, and numbered, at its first appearance. */
export function observationNumbers(db: Database) {
  const names = openObservationNames(db)
  const sourceNumbers = new Map<string, number>()
  // Rows of a list share these objects, so each is looked up once and not once per row.
  const subjectNumbers = new WeakMap<Subject, number>()
  const termsNumbers = new WeakMap<Terms, number>()

  return async (rows: readonly NewObservation[]): Promise<ObservationTable[]> => {
    const sources = new Set<string>()
    const subjects = new Set<Subject>()
    const terms = new Set<Terms>()
    for (const row of rows) {
      if (!sourceNumbers.has(row.source)) sources.add(row.source)
      if (!subjectNumbers.has(row.subject)) subjects.add(row.subject)
      if (!termsNumbers.has(row.terms)) terms.add(row.terms)
    }
    await names.sources.learn(Array.from(sources, (name) => ({ name })))
    await names.subjects.learn(Array.from(subjects, subjectRow))
    await names.terms.learn(Array.from(terms, termsRow))
    for (const name of sources) sourceNumbers.set(name, known(names.sources.numberOf({ name })))
    for (const one of subjects) subjectNumbers.set(one, known(names.subjects.numberOf(subjectRow(one))))
    for (const one of terms) termsNumbers.set(one, known(names.terms.numberOf(termsRow(one))))
    return rows.map((row) => ({
      source_id: known(sourceNumbers.get(row.source)),
      listing_id: row.listingId,
      subject_id: known(subjectNumbers.get(row.subject)),
      terms_id: known(termsNumbers.get(row.terms)),
      cents: row.cents,
      observed_at: row.observedAt,
      listed_at: row.listedAt,
    }))
  }
}

function known(number: number | undefined): number {
  if (number === undefined) throw new Error('A text that was just stored has no number.')
  return number
}

/** Writes observations of different listings; the newest of a listing stays whatever order they come in. */
export async function writeObservations(db: Database, rows: readonly ObservationTable[]): Promise<void> {
  const options = { conflict: ['source_id', 'listing_id'], newer: 'observed_at', distinct: true }
  await db.write([{ table: 'observation', rows, options }])
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
    .selectFrom('observation_source')
    .innerJoin('observation', 'source_id', 'observation_source.id')
    .select('listing_id')
    .where('name', '=', source)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type HeldListing = { readonly observedAt: number; readonly cents: number; readonly deviceId: string }

/** What is stored of these listings of a source, by listing. */
export async function heldListings(
  tx: Tx,
  source: string,
  listingIds: readonly string[],
): Promise<Map<string, HeldListing>> {
  const rows = await tx
    .selectFrom('observation_source')
    .innerJoin('observation', 'source_id', 'observation_source.id')
    .innerJoin('observation_subject', 'observation_subject.id', 'subject_id')
    .select(['listing_id', 'observed_at', 'cents', 'device_id'])
    .where('name', '=', source)
    .where('listing_id', 'in', listingIds)
    .execute()
  return new Map(
    rows.map((row) => [row.listing_id, { observedAt: row.observed_at, cents: row.cents, deviceId: row.device_id }]),
  )
}

const subjectRow = ({ deviceId, configuration, variantId }: Subject): SubjectRow => ({
  device_id: deviceId,
  configuration,
  variant_id: variantId ?? '',
})

const termsRow = ({ side, rung, label, lock, paidIn, state }: Terms): TermsRow => ({
  side,
  rung,
  label,
  lock,
  paid_in: paidIn,
  state,
})

function heldObservation(row: ObservationTable, source: string, subject: SubjectRow, terms: TermsRow): HeldObservation {
  return {
    source,
    side: terms.side as Side,
    deviceId: subject.device_id,
    variantId: subject.configuration,
    exactVariantId: subject.variant_id || null,
    rung: terms.rung as Rung,
    label: terms.label,
    lock: terms.lock,
    cents: row.cents,
    observedAt: row.observed_at,
    listingId: row.listing_id,
    state: terms.state as ListingState,
    listedAt: row.listed_at,
  }
}
