import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Criterion } from '../db/record-search.ts'
import { isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import { foldText } from '../lib/fold-text.ts'

/** Longest part of a word that is searched for. */
const WORD_LENGTH = 40
const WORDS_PER_RECORD = 24
/** Fewer last characters of an identifier would find too many. */
const ENDING_LENGTH = 4
/** More words or devices than this are not listed in a query. */
const MAX_LISTED_WORDS = 20
/** Before a word that is stored backwards, so that its last characters are found by an index. */
const BACKWARDS = '<'

/** The words of a text: letters and digits without case and accents. */
export const wordsOf = (text: string): string[] =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const backwards = (word: string) => BACKWARDS + [...word].reverse().join('')

/** Words by which a device is found, besides those of its id. */
export function searchableWords(device: {
  readonly deviceId: string | null
  readonly name: string | null
  readonly reference: string | null
  readonly identifiers: readonly (string | null)[]
}): string[] {
  const inId = new Set(wordsOf(device.deviceId ?? ''))
  const identifiers = device.identifiers.flatMap((each) => (each ? wordsOf(each).join('') : []))
  const words = [
    ...identifiers.flatMap((word) => [word, backwards(word)]),
    ...wordsOf(device.reference ?? ''),
    ...wordsOf(device.name ?? '').filter((word) => !inId.has(word)),
  ]
  return [...new Set(words.map((word) => word.slice(0, WORD_LENGTH)))].slice(0, WORDS_PER_RECORD)
}

/** Keyed hashes of the words of a seller's name. */
export type HashName = (organizationId: string, text: string) => readonly string[]

/** The rows that a search finds. */
export type SearchedRows = {
  readonly organizationId: string
  /** The `appraisal_id` of a row. */
  readonly id: RawBuilder<string>
  /** The device of a row. */
  readonly deviceId: RawBuilder<string>
  /** Undefined if sellers are not searched. */
  readonly hashName?: HashName | undefined
}

/** What a row must meet so that all words of a text occur: one criterion per word. */
export async function searchCriteria(db: Database, text: string, rows: SearchedRows): Promise<Criterion[]> {
  const words = text.split(/\s+/).filter(Boolean)
  const criteria: Criterion[] = []
  for (const word of words) {
    const identifier = parseIdentifier(word)
    // An IMEI may be written with hyphens; a serial number may as well be a reference.
    const isOneWord = !isInvalidIdentifier(identifier) && identifier.type !== 'serial'
    const parts = isOneWord ? [wordsOf(word).join('')] : wordsOf(word)
    if (parts.length === 0) criteria.push(NOTHING)
    for (const part of parts) {
      const key = isOneWord ? identifier.key : part.toUpperCase()
      criteria.push(await wordCriterion(db, part.slice(0, WORD_LENGTH), key, rows))
    }
  }
  return criteria
}

/** A word without letters and digits occurs nowhere. */
const NOTHING: Criterion = { ids: sql`select id from appraisal where 1 = 0`, isMet: () => sql<boolean>`1 = 0` }

const startsWith = (column: RawBuilder<unknown>, prefix: string) =>
  sql<boolean>`(${column} >= ${prefix} and ${column} < ${afterPrefix(prefix)})`

const afterPrefix = (prefix: string) => `${prefix}\u{10ffff}`

/**
 * The stored words that begin with a prefix. Steps from word to word through the primary key, so that the cost does not depend
 * on how often a word occurs.
 */
function storedWords(organizationId: string, prefix: string): RawBuilder<unknown> {
  const next = (condition: RawBuilder<unknown>) => sql`(select word from appraisal_word
    where organization_id = ${organizationId} and ${condition} order by word limit 1)`
  return sql`with recursive stored(word) as (
      select ${next(sql`word >= ${prefix}`)}
      union all
      select ${next(sql`word > stored.word`)} from stored where stored.word < ${afterPrefix(prefix)}
    )
    select word as value from stored where word < ${afterPrefix(prefix)} limit ${MAX_LISTED_WORDS + 1}`
}

/** The devices that an organization appraised and whose id contains a text. */
const appraisedDevices = (organizationId: string, text: string) =>
  sql`select device_id as value from appraised_device
    where organization_id = ${organizationId} and device_id like ${`%${text}%`} limit ${MAX_LISTED_WORDS + 1}`

/** The values of each list in one query; undefined for a list of more values than a query should name, such as identifiers. */
async function readLists(db: Database, lists: readonly RawBuilder<unknown>[]): Promise<(string[] | undefined)[]> {
  const selects = lists.map((list, at) => sql`select ${sql.lit(at)} as list, value from (${list}) as listed`)
  const { rows } = await sql<{ list: number; value: string }>`${sql.join(selects, sql` union all `)}`.execute(db.query)
  return lists.map((_list, at) => {
    const values = rows.filter(({ list }) => Number(list) === at).map(({ value }) => value)
    return values.length > MAX_LISTED_WORDS ? undefined : values
  })
}

async function wordCriterion(
  db: Database,
  word: string,
  identifierKey: string,
  rows: SearchedRows,
): Promise<Criterion> {
  const { organizationId, id, deviceId, hashName } = rows
  const prefixes = word.length < ENDING_LENGTH ? [word] : [word, backwards(word)]
  const number = /^\d{1,9}$/.test(word) ? Number(word) : null
  const ofOrganization = sql`organization_id = ${organizationId}`
  const hashes = hashName?.(organizationId, word) ?? []
  /** Few rows have the same identifier or number. */
  const few = [
    sql`select appraisal_id as id from appraisal_identifier where ${ofOrganization} and identifier_key = ${identifierKey}`,
    ...(number === null
      ? []
      : [sql`select appraisal_id as id from stock_item where ${ofOrganization} and number = ${number}`]),
  ]
  const [devices, ...words] = await readLists(db, [
    appraisedDevices(organizationId, word),
    ...prefixes.map((prefix) => storedWords(organizationId, prefix)),
  ])
  /** Conditions on `appraisal_word`. Words are listed if they are few: with a range, each step would read all words of its rows. */
  const listed = words.flatMap((list) => list ?? [])
  const manyPrefixes = prefixes.filter((_prefix, at) => words[at] === undefined)
  const isDevice = (column: RawBuilder<unknown>) =>
    devices ? sql`${column} in (${sql.join(devices)})` : sql`${column} like ${`%${word}%`}`
  const hasDevices = !devices || devices.length > 0
  return {
    ids: sql.join(
      [
        ...few,
        ...hashes.map(
          (hash) => sql`select appraisal_id as id from seller_name where ${ofOrganization} and name_hash = ${hash}`,
        ),
        ...(listed.length > 0
          ? [
              sql`select appraisal_id as id from appraisal_word where ${ofOrganization} and word in (${sql.join(listed)})`,
            ]
          : []),
        ...manyPrefixes.map(
          (prefix) => sql`select appraisal_id as id from appraisal_word where ${ofOrganization}
            and ${startsWith(sql.ref('word'), prefix)}`,
        ),
        ...(hasDevices
          ? [
              sql`select id from appraisal where ${ofOrganization} and device_id in (
                select device_id from appraised_device where ${ofOrganization} and ${isDevice(sql.ref('device_id'))})`,
            ]
          : []),
      ],
      sql` union all `,
    ),
    isMet({ limit, compared }) {
      const ofStep = limit(sql.ref('appraisal_id'))
      const isOfOrganization = sql`${compared('organization_id')} = ${organizationId}`
      const conditions = [
        ...(hasDevices ? [isDevice(deviceId)] : []),
        ...few.map((found) => sql`${id} in (${found})`),
        ...(listed.length > 0
          ? [
              sql`${id} in (select appraisal_id from appraisal_word
                where ${ofOrganization} and word in (${sql.join(listed)}) and ${ofStep})`,
            ]
          : []),
        ...manyPrefixes.map(
          (prefix) => sql`${id} in (select appraisal_id from appraisal_word
            where ${ofStep} and ${isOfOrganization} and ${startsWith(compared('word'), prefix)})`,
        ),
        ...hashes.map(
          (hash) => sql`${id} in (select appraisal_id from seller_name
            where ${ofStep} and ${isOfOrganization} and ${compared('name_hash')} = ${hash})`,
        ),
      ]
      return sql<boolean>`(${sql.join(conditions, sql` or `)})`
    },
  }
}
