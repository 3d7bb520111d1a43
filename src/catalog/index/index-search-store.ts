import type { LocalDatabase } from '../../db/sqlite/local-database.ts'
import type { DeviceFilters, DeviceNumber, VariantFilters, VariantKey } from '../registry.ts'
import type { SearchResult } from '../search/search.ts'
import { splitWords } from '../search/search-term.ts'
import type { Vocabulary } from '../search/typo-prefixes.ts'
import { addText, codeScore, emptyScores, totalScore, type WordQuery, type WordScores } from '../search/word-score.ts'
import { DEVICE_FIELDS, splitVariants, VARIANT_FIELDS } from './index-text.ts'

/** Of more devices than this the first in list order are ranked, and those that contain the words as typed. */
const MAX_RANKED = 1_000
const MAX_RANKED_AS_TYPED = 500
/** A search with more results has a capped total. */
const MAX_RESULTS = 10_000
/** The full-text index needs the most selective words only: the score checks them all. */
const MAX_INDEXED_WORDS = 6
type Candidate = readonly [number: number, device: string, variants: string]

type ScoredMatch<Match> = { readonly match: Match; readonly score: number }

/** Full-text search of the index. */
export function indexSearch(db: LocalDatabase) {
  const deviceVocabulary = vocabulary(db, 'device_word')
  const variantVocabulary = vocabulary(db, 'variant_word')

  function readCandidates(columns: string, { expression, conditions, values }: TextQuery, limit: number): Candidate[] {
    const joinsDevice = conditions.some((condition) => condition.startsWith('d.'))
    const from = `device_text t${joinsDevice ? ' cross join device d on d.number = t.rowid' : ''}`
    const where = ['device_text match ?', ...conditions].join(' and ')
    return db
      .query(`select t.rowid, ${columns} from ${from} where ${where} order by t.rowid limit ?`)
      .values(expression, ...values, limit) as unknown as Candidate[]
  }

  /** In list order. */
  function candidatesToRank(
    columns: string,
    query: TextQuery,
    asTyped: string,
  ): { rows: Candidate[]; isCapped: boolean } {
    const rows = readCandidates(columns, query, MAX_RANKED + 1)
    if (rows.length <= MAX_RANKED) return { rows, isCapped: false }
    const last = (rows.pop() as Candidate)[0]
    const later = readCandidates(columns, { ...query, expression: asTyped }, MAX_RANKED_AS_TYPED)
    return { rows: [...rows, ...later.filter(([number]) => number >= last)], isCapped: true }
  }

  function findDevicesByWords(
    words: readonly WordQuery[],
    codeMatches: readonly DeviceNumber[],
    filters: DeviceFilters,
  ): SearchResult<DeviceNumber> {
    const query = { ...deviceConditions(filters, 'd.'), expression: `device : (${prefixExpression(words, filters)})` }
    const { rows, isCapped } = candidatesToRank('t.device', query, `device : (${typedExpression(words, filters)})`)
    const matches: ScoredMatch<DeviceNumber>[] = []
    for (const [number, device] of rows) {
      const { scores, nameWordCount } = scoreDevice(words, device)
      const score = totalScore(scores, nameWordCount)
      if (score !== null) matches.push({ match: number, score })
    }
    const ranked = rankWithCodes(
      matches,
      codeMatches,
      words.length,
      (number) => number,
      (a, b) => a - b,
    )
    if (!isCapped || words.length > MAX_INDEXED_WORDS) return { matches: ranked, isCapped }
    // The others follow in list order.
    const isRanked = new Set(ranked)
    for (const [number] of readCandidates("''", query, MAX_RESULTS + 1)) if (!isRanked.has(number)) ranked.push(number)
    return { matches: ranked.slice(0, MAX_RESULTS), isCapped: ranked.length > MAX_RESULTS }
  }

  function findVariantsByWords(
    words: readonly WordQuery[],
    codeMatches: readonly VariantKey[],
    filters: VariantFilters,
    passing: (keys: readonly VariantKey[]) => readonly VariantKey[],
  ): SearchResult<VariantKey> {
    const { conditions, values } = deviceConditions(filters, 'd.')
    if (filters.deviceId !== undefined) {
      conditions.push('t.rowid = (select number from device where id = ?)')
      values.push(filters.deviceId)
    }
    const query = { conditions, values, expression: prefixExpression(words, filters) }
    const { rows, isCapped } = candidatesToRank('t.device, t.variants', query, typedExpression(words, filters))
    const isFiltered = filters.attributes.length > 0 || filters.disabled !== undefined || filters.sku !== undefined
    const matches: ScoredMatch<VariantKey>[] = []
    for (const [number, device, variants] of rows) {
      if (matches.length >= MAX_RESULTS) break
      const ofDevice = scoreDevice(words, device)
      for (const [position, text] of splitVariants(variants).entries()) {
        const score = scoreVariant(words, text, ofDevice)
        if (score === null) continue
        const match = { device: number, position }
        if (!isFiltered || passing([match]).length > 0) matches.push({ match, score })
      }
    }
    return {
      matches: rankWithCodes(
        matches,
        codeMatches,
        words.length,
        ({ device, position }) => `${device} ${position}`,
        (a, b) => a.device - b.device || a.position - b.position,
      ),
      isCapped: isCapped || matches.length >= MAX_RESULTS,
    }
  }

  return { findDevicesByWords, findVariantsByWords, deviceVocabulary, variantVocabulary }
}

function vocabulary(db: LocalDatabase, table: 'device_word' | 'variant_word'): Vocabulary {
  const first = db.query(`select word from ${table} where word >= ? limit 1`)
  return { firstFrom: (text) => (first.get(text) as { word: string } | null)?.word }
}

type DeviceScore = { readonly scores: WordScores; readonly nameWordCount: number }

function scoreDevice(words: readonly WordQuery[], text: string): DeviceScore {
  const scores = emptyScores(words)
  return { scores, nameWordCount: addText(scores, words, text, DEVICE_FIELDS) }
}

/** Words of the variant and of its device count together. */
function scoreVariant(
  words: readonly WordQuery[],
  text: string,
  { scores, nameWordCount }: DeviceScore,
): number | null {
  const own = scores.slice()
  return totalScore(own, nameWordCount + addText(own, words, text, VARIANT_FIELDS))
}

type LabelFilters = Pick<DeviceFilters, 'make' | 'category'>

/** Every word as a prefix. The words of a make or category that is filtered by narrow the candidates, too. */
function prefixExpression(words: readonly WordQuery[], filters: LabelFilters): string {
  const lengthOf = ({ word, typos }: WordQuery) => word?.length ?? Math.min(...typos.map((typo) => typo.length))
  const selective = words.length > MAX_INDEXED_WORDS ? [...words].sort((a, b) => lengthOf(b) - lengthOf(a)) : words
  const prefixes = selective.slice(0, MAX_INDEXED_WORDS).map(({ word, typos }) => {
    const alternatives = word === null ? typos : [word, ...typos]
    return `(${alternatives.map((text) => `"${text}" *`).join(' OR ')})`
  })
  return [...prefixes, ...filterWords(filters)].join(' AND ')
}

/** Every word as a whole. */
function typedExpression(words: readonly WordQuery[], filters: LabelFilters): string {
  const whole = words.map(
    ({ word, typos }) =>
      `(${[word ?? [], ...typos]
        .flat()
        .map((text) => `"${text}"`)
        .join(' OR ')})`,
  )
  return [...whole, ...filterWords(filters)].join(' AND ')
}

const filterWords = ({ make = '', category = '' }: LabelFilters) =>
  splitWords(`${make} ${category}`).map((word) => `"${word}"`)

type TextQuery = {
  readonly expression: string
  readonly conditions: readonly string[]
  readonly values: readonly (string | number)[]
}

export function deviceConditions({ make, category, status }: DeviceFilters, prefix = '') {
  const conditions: string[] = []
  const values: string[] = []
  for (const [column, value] of Object.entries({ make_key: make, category_key: category, status })) {
    if (value === undefined) continue
    conditions.push(`${prefix}${column} = ?`)
    values.push(value)
  }
  return { conditions, values }
}

/** Best first, then in list order. A document that a code names ranks at least like an exact match of every word. */
function rankWithCodes<Match>(
  scored: readonly ScoredMatch<Match>[],
  codeMatches: readonly Match[],
  wordCount: number,
  keyOf: (match: Match) => string | number,
  inListOrder: (a: Match, b: Match) => number,
): Match[] {
  let ranked = scored
  if (codeMatches.length) {
    const minimum = codeScore(wordCount)
    const byKey = new Map(scored.map((each) => [keyOf(each.match), each]))
    for (const match of codeMatches) {
      const found = byKey.get(keyOf(match))
      const score = found ? Math.max(found.score, minimum + (found.score & 1)) : minimum
      byKey.set(keyOf(match), { match, score })
    }
    ranked = [...byKey.values()].sort((a, b) => inListOrder(a.match, b.match))
  }
  // Candidates are in list order already, and the sort is stable.
  return [...ranked].sort((a, b) => b.score - a.score).map(({ match }) => match)
}
