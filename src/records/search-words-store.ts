import { type RawBuilder, sql } from 'kysely'
import type { Criterion } from '../db/record-search.ts'
import { isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import { foldText } from '../lib/fold-text.ts'

/** Longest part of a word that is searched for. */
const WORD_LENGTH = 40
const WORDS_PER_RECORD = 24
/** Fewer last characters of an identifier would find too many. */
const ENDING_LENGTH = 4
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
export function searchCriteria(text: string, rows: SearchedRows): Criterion[] {
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
      criteria.push(wordCriterion(part.slice(0, WORD_LENGTH), key, rows))
    }
  }
  return criteria
}

/** A word without letters and digits occurs nowhere. */
const NOTHING: Criterion = { ids: sql`select id from appraisal where 1 = 0`, isMet: () => sql<boolean>`1 = 0` }

function wordCriterion(word: string, identifierKey: string, rows: SearchedRows): Criterion {
  const { organizationId, id, deviceId, hashName } = rows
  const prefixes = word.length < ENDING_LENGTH ? [word] : [word, backwards(word)]
  const device = `%${word}%`
  const number = /^\d{1,9}$/.test(word) ? Number(word) : null
  const ofOrganization = sql`organization_id = ${organizationId}`
  const hashes = hashName?.(organizationId, word) ?? []
  const startsWith = (column: RawBuilder<unknown>, prefix: string) =>
    sql`(${column} >= ${prefix} and ${column} < ${`${prefix}\u{10ffff}`})`
  /** Few rows have the same identifier or number. */
  const few = [
    sql`select appraisal_id as id from appraisal_identifier where ${ofOrganization} and identifier_key = ${identifierKey}`,
    ...(number === null
      ? []
      : [sql`select appraisal_id as id from stock_item where ${ofOrganization} and number = ${number}`]),
  ]
  return {
    ids: sql.join(
      [
        ...few,
        ...hashes.map(
          (hash) => sql`select appraisal_id as id from seller_name where ${ofOrganization} and name_hash = ${hash}`,
        ),
        ...prefixes.map(
          (prefix) => sql`select appraisal_id as id from appraisal_word where ${ofOrganization}
            and ${startsWith(sql.ref('word'), prefix)}`,
        ),
        sql`select id from appraisal where ${ofOrganization} and device_id in (
          select device_id from appraised_device where ${ofOrganization} and device_id like ${device})`,
      ],
      sql` union all `,
    ),
    isMet({ limit, compared }) {
      const ofStep = sql`where ${limit(sql.ref('appraisal_id'))} and ${compared('organization_id')} = ${organizationId}`
      const hasWord = sql.join(
        prefixes.map((prefix) => startsWith(compared('word'), prefix)),
        sql` or `,
      )
      const conditions = [
        sql`${deviceId} like ${device}`,
        ...few.map((found) => sql`${id} in (${found})`),
        sql`${id} in (select appraisal_id from appraisal_word ${ofStep} and (${hasWord}))`,
        ...hashes.map(
          (hash) =>
            sql`${id} in (select appraisal_id from seller_name ${ofStep} and ${compared('name_hash')} = ${hash})`,
        ),
      ]
      return sql<boolean>`(${sql.join(conditions, sql` or `)})`
    },
  }
}
