import { countLetters, dropPrefixWords, type SearchTerm } from './search-term.ts'
import { hasPrefix, hasWord, typoPrefixes, type Vocabulary } from './typo-prefixes.ts'
import type { WordQuery } from './word-score.ts'

const MIN_LETTERS_FOR_TYPO = 5

/** Matches of a search, best first. */
export type SearchResult<Match> = {
  readonly matches: readonly Match[]
  /** Whether there were too many candidates to look at all of them. */
  readonly isCapped: boolean
}

/** The documents of one kind, devices or variants. A document is identified by a key that is unique among them. */
export type SearchableDocuments<Match> = {
  readonly vocabularies: readonly Vocabulary[]
  readonly keyOf: (match: Match) => string | number
  /** Documents with exactly this code, in list order. */
  readonly findByCode: (code: string) => readonly Match[]
  /** Documents in which every word matches, best first, then in list order; `codeMatches` count like a match. */
  readonly findByWords: (words: readonly WordQuery[], codeMatches: readonly Match[]) => SearchResult<Match>
}

/**
 * All documents that match, best first, then in list order. Every word must match. If no document matches, tries a code
 * among the words, then one typing error (which includes a missing blank) per longer word.
 */
export function search<Match>(documents: SearchableDocuments<Match>, term: SearchTerm): SearchResult<Match> {
  const findByCodes = (codes: readonly string[]): readonly Match[] => {
    const [first = '', second] = codes
    const matches = documents.findByCode(first)
    return matches.length || second === undefined ? matches : documents.findByCode(second)
  }
  const asTyped = matchWords(documents, term.words, false, findByCodes(term.codes))
  if (asTyped.matches.length) return asTyped

  const codeParts = term.parts.filter((part) => findByCodes(part.codes).length > 0)
  if (codeParts.length && term.parts.length > 1) {
    const otherWords = dropPrefixWords(
      term.parts.filter((part) => !codeParts.includes(part)).flatMap((part) => part.words),
    )
    const [first = [], ...others] = codeParts.map((part) => findByCodes(part.codes))
    const keysOf = (matches: readonly Match[]) => new Set(matches.map(documents.keyOf))
    const conditions = others.map(keysOf)
    if (otherWords.length) conditions.push(keysOf(matchWords(documents, otherWords, false, []).matches))
    const matches = first.filter((match) => conditions.every((keys) => keys.has(documents.keyOf(match))))
    if (matches.length) return { matches, isCapped: false }
  }

  // Between a letter and a digit a missing blank is likelier than a wrong letter: `oneplus12` is not `oneplus2`.
  for (const attempt of [
    () => matchSplitWords(documents, term.words, startsNumber),
    () => matchWords(documents, term.words, true, []),
    () => matchSplitWords(documents, term.words, () => true),
  ]) {
    const result = attempt()
    if (result.matches.length) return result
  }
  return { matches: [], isCapped: false }
}

function matchSplitWords<Match>(
  documents: SearchableDocuments<Match>,
  words: readonly string[],
  canSplitAt: CanSplitAt,
): SearchResult<Match> {
  const separated = dropPrefixWords(words.flatMap((word) => splitWord(documents.vocabularies, word, canSplitAt)))
  return separated.length > words.length
    ? matchWords(documents, separated, false, [])
    : { matches: [], isCapped: false }
}

type CanSplitAt = (word: string, at: number) => boolean

const startsNumber: CanSplitAt = (word, at) => isDigit(word.charCodeAt(at)) && !isDigit(word.charCodeAt(at - 1))

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Splits a word without matches where a blank is missing: `iphone15` becomes `iphone 15`. */
function splitWord(vocabularies: readonly Vocabulary[], word: string, canSplitAt: CanSplitAt): string[] {
  if (countLetters(word) < MIN_LETTERS_FOR_TYPO) return [word]
  const isPrefix = (text: string) => vocabularies.some((vocabulary) => hasPrefix(vocabulary, text))
  const isWord = (text: string) => vocabularies.some((vocabulary) => hasWord(vocabulary, text))
  if (isPrefix(word)) return [word]
  for (let at = word.length - 1; at > 0; at--) {
    if (!canSplitAt(word, at)) continue
    if (isWord(word.slice(0, at)) && isPrefix(word.slice(at))) return [word.slice(0, at), word.slice(at)]
  }
  return [word]
}

function matchWords<Match>(
  documents: SearchableDocuments<Match>,
  words: readonly string[],
  allowTypos: boolean,
  codeMatches: readonly Match[],
): SearchResult<Match> {
  const { vocabularies } = documents
  const queries = words.map((word): WordQuery => {
    const typos = allowTypos && countLetters(word) >= MIN_LETTERS_FOR_TYPO
    return {
      word: vocabularies.some((vocabulary) => hasPrefix(vocabulary, word)) ? word : null,
      typos: typos ? [...new Set(vocabularies.flatMap((vocabulary) => [...typoPrefixes(vocabulary, word)]))] : [],
    }
  })
  const isHopeless = queries.some(({ word, typos }) => word === null && typos.length === 0)
  if (isHopeless || !queries.length) return { matches: codeMatches, isCapped: false }
  return documents.findByWords(queries, codeMatches)
}
