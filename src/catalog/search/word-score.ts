/** A word of a search: matches every word that begins with it, or with one of its misspellings. */
export type WordQuery = { readonly word: string | null; readonly typos: readonly string[] }

/** Weight of each field. It decides between equal matches. */
export const FIELD_WEIGHTS = { name: 48, make: 32, category: 16, slug: 8 } as const

export type SearchField = keyof typeof FIELD_WEIGHTS

/** Earlier words weigh more, up to the eighth. */
function fieldWeight(field: SearchField, position: number): number {
  return FIELD_WEIGHTS[field] + 7 - Math.min(position, 7)
}

/** Score by kind of match. It outweighs the field. */
const EXACT_MATCH = 192
const PREFIX_MATCH = 128
const EXACT_MATCH_WITH_TYPO = 64
const PREFIX_MATCH_WITH_TYPO = 0

/** An exact model number scores like an exact word in the middle of a name. */
const CODE_MATCH = EXACT_MATCH + FIELD_WEIGHTS.name + 4

export const codeScore = (wordCount: number): number => documentScore(CODE_MATCH * wordCount, false)

/** Between equal matches a fully matched name is better: `iphone 14` means the iPhone 14, not the 14 Plus. */
const documentScore = (sum: number, isNameComplete: boolean) => sum * 2 + (isNameComplete ? 1 : 0)

const NO_MATCH = -1

/** The best match of each word in a document so far, or in a part that several documents share. */
export type WordScores = Int16Array

export function emptyScores(queries: readonly WordQuery[]): WordScores {
  return new Int16Array(queries.length).fill(NO_MATCH)
}

/**
 * Adds the words of a text to the best matches: words are separated by blanks, fields by commas. There are at least two
 * `fields`; the last one stands for all that follow. Returns the number of words in the first field.
 */
export function addText(
  scores: WordScores,
  queries: readonly WordQuery[],
  text: string,
  fields: readonly SearchField[],
): number {
  let field = 0
  let position = 0
  let firstFieldWords = 0
  for (let start = 0; start <= text.length; ) {
    let end = start
    while (end < text.length && !isSeparator(text.charCodeAt(end))) end++
    if (end > start) {
      for (let at = 0; at < queries.length; at++) {
        const kind = matchKind(queries[at] as WordQuery, text, start, end)
        if (kind < 0) continue
        const score = kind + fieldWeight(fields[field] as SearchField, position)
        if (score > (scores[at] as number)) scores[at] = score
      }
      position++
    }
    if (text.charCodeAt(end) === COMMA || end >= text.length) {
      if (field === 0) firstFieldWords = position
      field = Math.min(field + 1, fields.length - 1)
      position = 0
    }
    start = end + 1
  }
  return firstFieldWords
}

const COMMA = 44
const isSeparator = (code: number) => code === 32 || code === COMMA

function matchKind({ word, typos }: WordQuery, text: string, start: number, end: number): number {
  if (word !== null && text.startsWith(word, start) && start + word.length <= end) {
    return start + word.length === end ? EXACT_MATCH : PREFIX_MATCH
  }
  let kind = NO_MATCH
  for (const typo of typos) {
    if (!text.startsWith(typo, start) || start + typo.length > end) continue
    if (start + typo.length === end) return EXACT_MATCH_WITH_TYPO
    kind = PREFIX_MATCH_WITH_TYPO
  }
  return kind
}

/** The score of a document, or null if a word does not match. `nameWordCount`: distinct words in its name. */
export function totalScore(scores: WordScores, nameWordCount: number): number | null {
  let sum = 0
  let inName = 0
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] as number
    if (score === NO_MATCH) return null
    sum += score
    if ((score & 63) >= FIELD_WEIGHTS.name) inName++
  }
  return documentScore(sum, inName >= nameWordCount)
}
