/** Guesses the meaning of an unknown word: a known word with an ending, several joined words, or a typing error. */
import { memoize } from '../../lib/memoize.ts'
import type { Aliases } from './aliases.ts'
import { isWrittenWithoutBlanks, type OrdinaryWords } from './ordinary-words.ts'
import type { LexiconWord, TitleLexicon, WordRole } from './title-lexicon.ts'
import type { Guess, Guesser } from './token-phrases.ts'
import { createToken, foldTitle, GAP, type Token } from './tokens.ts'

/** Shorter words are too similar to each other for error correction. */
const MIN_LETTERS_FOR_TYPO = 5
const MAX_LETTERS = 24
const MAX_CACHED_GUESSES = 20_000

export function createGuesser(
  lexicon: TitleLexicon,
  {
    beginnings,
    endings: compoundEndings,
    affixes,
    shades,
  }: Pick<Aliases['words'], 'beginnings' | 'endings' | 'affixes' | 'shades'>,
  ordinary: OrdinaryWords,
): Guesser {
  const nameAffixes = nameAffixesOf(affixes)
  const shadeSet = new Set(shades)
  const stems = collectStems(lexicon, beginnings)
  const endings = collectStems(lexicon, compoundEndings)
  const targets = collectTypoTargets(lexicon)
  return memoize(MAX_CACHED_GUESSES, (text) => {
    if (text.length > MAX_LETTERS) return null
    if (ordinary.hasWord(text)) return 'ordinary'
    return (
      stripEnding(text, lexicon, nameAffixes) ??
      stripAffixes(text, lexicon, nameAffixes) ??
      splitJoinedWords(text, lexicon, nameAffixes.particles) ??
      joinedColor(text, lexicon, shadeSet) ??
      correctTypo(text, targets) ??
      guessByStem(text, stems) ??
      guessByEnding(text, endings) ??
      (isWrittenWithoutBlanks(text) && !containsName(text, lexicon) && ordinary.isMadeOfPairs(text) ? 'ordinary' : null)
    )
  })
}

type NameAffixes = {
  /** Longest first. */
  readonly endings: readonly string[]
  readonly wordsWithShortEndings: ReadonlySet<string>
  readonly prefixes: readonly string[]
  readonly suffixes: readonly string[]
  readonly particles: ReadonlySet<string>
}

const nameAffixesOf = ({
  endings,
  wordsWithShortEndings,
  prefixes,
  suffixes,
  particles,
}: Aliases['words']['affixes']): NameAffixes => ({
  endings: endings.toSorted((a, b) => b.length - a.length),
  wordsWithShortEndings: new Set(wordsWithShortEndings),
  prefixes: ['', ...prefixes.map(foldTitle)],
  suffixes: ['', ...suffixes.map(foldTitle)],
  particles: new Set(particles),
})

const MIN_STEM = 4

/** "iPhonea", "Samsungom", "iPhonui": a name with an ending of its case. */
function stripEnding(
  text: string,
  lexicon: TitleLexicon,
  { endings, wordsWithShortEndings }: NameAffixes,
): Guess | null {
  for (const ending of endings) {
    const stem = text.slice(0, -ending.length)
    if (stem.length < MIN_STEM || !text.endsWith(ending)) continue
    // After other words a single letter begins a model, as in "galaxya 54".
    if (ending.length === 1 && !wordsWithShortEndings.has(stem)) continue
    const word = lexicon.find(stem)
    if (word && !word.isWeakMake && (word.make !== null || word.line !== null))
      return { tokens: [createToken(stem, GAP.blank)], isMistyped: false }
  }
  return null
}

/** "айфона", "והאייפון", "بالايفون": a name of another script with an article, a preposition or an ending in one word. */
function stripAffixes(text: string, lexicon: TitleLexicon, { prefixes, suffixes }: NameAffixes): Guess | null {
  for (const prefix of prefixes) {
    if (!text.startsWith(prefix)) continue
    for (const suffix of suffixes) {
      if (!text.endsWith(suffix) || prefix + suffix === '') continue
      const stem = text.slice(prefix.length, text.length - suffix.length)
      const word = stem.length < MIN_STEM ? undefined : lexicon.find(stem)
      if (word?.replacement) return { tokens: word.replacement, isMistyped: false }
    }
  }
  return null
}

const MIN_COLOR_LETTERS = 3

/** "mattschwarz", "graygreen", "spacegrijs": a shade or a color and a color. */
function joinedColor(text: string, lexicon: TitleLexicon, shades: ReadonlySet<string>): Guess | null {
  const isColor = (part: string) => part.length >= MIN_COLOR_LETTERS && lexicon.find(part)?.role === 'color'
  for (let at = MIN_COLOR_LETTERS; at <= text.length - MIN_COLOR_LETTERS; at++) {
    const [first, second] = [text.slice(0, at), text.slice(at)]
    if (isColor(second) && (shades.has(first) || isColor(first)))
      return { tokens: [createToken(second, GAP.blank)], isMistyped: false }
  }
  return null
}

/** "iphonexsmax", "macbookair", "갤럭시버즈": known words that cover the whole text. */
function splitJoinedWords(text: string, lexicon: TitleLexicon, particles: ReadonlySet<string>): Guess | null {
  const hasNoBlanks = isWrittenWithoutBlanks(text)
  if (text.length < (hasNoBlanks ? 2 : 6)) return null
  const pieces = hasNoBlanks ? splitGreedy(text, lexicon, particles) : splitWhole(text, lexicon)
  if (!pieces) return null
  const tokens: Token[] = []
  for (const word of pieces) {
    if (word.replacement)
      tokens.push(...word.replacement.map((piece, at) => (at === 0 ? { ...piece, gap: GAP.blank } : piece)))
    else tokens.push(createToken(word.text, GAP.blank))
  }
  return { tokens, isMistyped: false }
}

const isMeaningful = (word: LexiconWord) =>
  word.isModelWord ||
  word.make !== null ||
  word.line !== null ||
  word.replacement !== null ||
  (word.scopes !== null && word.text.length > 2)

/** Longest pieces first, from the left; a single letter may remain at the end, before a number ("galaxys 23"). */
function splitWhole(text: string, lexicon: TitleLexicon): LexiconWord[] | null {
  const pieces: LexiconWord[] = []
  let hasLongWord = false
  for (let at = 0; at < text.length; ) {
    let longestPiece: LexiconWord | undefined
    for (let to = text.length; to > at + 1 && !longestPiece; to--) {
      if (at === 0 && to === text.length) continue
      const word = lexicon.find(text.slice(at, to))
      if (
        word &&
        !word.isWeakMake &&
        (isMeaningful(word) || (at > 0 && word.scopes !== null) || (word.role === 'noise' && word.text.length >= 5))
      )
        longestPiece = word
    }
    if (!longestPiece && at === text.length - 1 && hasLongWord) longestPiece = lexicon.find(text.slice(at))
    if (!longestPiece) return null
    hasLongWord ||= longestPiece.text.length >= 4 && isMeaningful(longestPiece)
    pieces.push(longestPiece)
    at += longestPiece.text.length
  }
  return hasLongWord ? pieces : null
}

const KATAKANA = /[\u30a1-\u30ff]/

/**
 * Korean joins words with particles. Other unknown syllables after a model word make it another word, as in 프로덕트. A word in
 * katakana ends where the katakana end: モデル does not contain the word for "Dell".
 */
function splitGreedy(text: string, lexicon: TitleLexicon, particles: ReadonlySet<string>): LexiconWord[] | null {
  const pieces: LexiconWord[] = []
  let unknownFrom = 0
  const isEnding = (to: number) => {
    const unknown = text.slice(unknownFrom, to)
    return unknown === '' || !pieces.at(-1)?.replacement || particles.has(unknown)
  }
  let at = 0
  while (at < text.length) {
    let longestPiece: LexiconWord | undefined
    for (let to = text.length; to > at && !longestPiece; to--) {
      const word = lexicon.find(text.slice(at, to))
      if (word && (word.role || word.unit || isMeaningful(word))) longestPiece = word
    }
    if (
      !longestPiece ||
      (at > unknownFrom && KATAKANA.test(text.slice(at - 1, at)) && KATAKANA.test(text.slice(at, at + 1)))
    ) {
      at++
      continue
    }
    if (!isEnding(at)) return null
    pieces.push(longestPiece)
    at += longestPiece.text.length
    unknownFrom = at
  }
  return pieces.length > 0 && isEnding(at) ? pieces : null
}

/** 프로덕트 contains the word for "Pro". */
function containsName(text: string, lexicon: TitleLexicon): boolean {
  for (let from = 0; from < text.length; from++) {
    for (let to = from + 2; to <= text.length; to++) {
      const word = lexicon.find(text.slice(from, to))
      if (word && isMeaningful(word)) return true
    }
  }
  return false
}

type WordStems = { readonly words: ReadonlyMap<string, string>; readonly lengths: readonly number[] }

/** Each stem becomes a lexicon word with its role. */
function collectStems(lexicon: TitleLexicon, lists: Aliases['words']['beginnings']): WordStems {
  const words = new Map<string, string>()
  for (const [role, texts] of Object.entries(lists)) {
    for (const text of texts) {
      const word = lexicon.getOrAdd(`${text}…`)
      word.role ??= role as WordRole
      words.set(text, word.text)
    }
  }
  return { words, lengths: [...new Set([...words.keys()].map((text) => text.length))].sort((a, b) => b - a) }
}

function guessByStem(text: string, { words, lengths }: WordStems): Guess | null {
  for (const length of lengths) {
    const word = text.length > length ? words.get(text.slice(0, length)) : undefined
    if (word !== undefined) return { tokens: [createToken(word, GAP.blank)], isMistyped: false }
  }
  return null
}

/** "Lederarmband", "Kameraobjektivschutz": the last word of a compound is what is sold. */
function guessByEnding(text: string, { words, lengths }: WordStems): Guess | null {
  for (const length of lengths) {
    const word = text.length > length + 2 ? words.get(text.slice(-length)) : undefined
    if (word !== undefined) return { tokens: [createToken(word, GAP.blank)], isMistyped: false }
  }
  return null
}

/** Maps a text with one letter omitted to the words it may come from. */
type TypoTargets = { readonly whole: ReadonlySet<string>; readonly shortened: ReadonlyMap<string, readonly string[]> }

function collectTypoTargets(lexicon: TitleLexicon): TypoTargets {
  const whole = new Set<string>()
  const shortened = new Map<string, string[]>()
  for (const word of lexicon.words()) {
    if (word.text.length < MIN_LETTERS_FOR_TYPO || !/^[a-z]+$/.test(word.text) || !isTypoTarget(word)) continue
    whole.add(word.text)
    for (const short of deletions(word.text)) {
      const targets = shortened.get(short)
      if (!targets) shortened.set(short, [word.text])
      else if (!targets.includes(word.text)) targets.push(word.text)
    }
  }
  return { whole, shortened }
}

const isTypoTarget = (word: LexiconWord) =>
  (word.make !== null && !word.isWeakMake) ||
  word.line !== null ||
  word.isModelWord ||
  word.isModelWordNextToName ||
  hasTopScope(word)

function hasTopScope(word: LexiconWord): boolean {
  if (!word.scopes || word.role) return false
  for (const scope of word.scopes) if (scope.endsWith('/')) return true
  return false
}

function* deletions(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) yield text.slice(0, at) + text.slice(at + 1)
}

/** The word that is one typing error away; null if there are several. */
function correctTypo(text: string, targets: TypoTargets): Guess | null {
  if (text.length < MIN_LETTERS_FOR_TYPO) return null
  const candidates = findOneTypoAway(text, targets)
  const [only] = candidates
  return candidates.size === 1 && only !== undefined
    ? { tokens: [createToken(only, GAP.blank)], isMistyped: true }
    : null
}

function findOneTypoAway(text: string, { whole, shortened }: TypoTargets): Set<string> {
  const candidates = new Set<string>()
  if (!/^[a-z]+$/.test(text)) return candidates
  for (const word of shortened.get(text) ?? []) candidates.add(word)
  for (const short of deletions(text)) {
    if (whole.has(short)) candidates.add(short)
    for (const word of shortened.get(short) ?? []) if (isOneTypoAway(text, word)) candidates.add(word)
  }
  return candidates
}

/** One letter wrong, or two neighbours swapped; insertions and deletions were handled before. */
function isOneTypoAway(typed: string, word: string): boolean {
  if (typed.length !== word.length) return false
  let at = 0
  while (at < typed.length && typed[at] === word[at]) at++
  if (typed.slice(at + 1) === word.slice(at + 1)) return true
  return typed[at] === word[at + 1] && typed[at + 1] === word[at] && typed.slice(at + 2) === word.slice(at + 2)
}
