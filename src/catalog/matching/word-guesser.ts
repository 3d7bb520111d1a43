/** Guesses the meaning of an unknown word: a known word with an ending, several joined words, or a typing error. */
import { memoize } from '../../lib/memoize.ts'
import type { Aliases } from './aliases.ts'
import type { LexiconWord, TitleLexicon, WordRole } from './title-lexicon.ts'
import type { Guess, Guesser } from './token-phrases.ts'
import { createToken, GAP, type Token } from './tokens.ts'

/** Shorter words are too similar to each other for error correction. */
const MIN_LETTERS_FOR_TYPO = 5
const MAX_LETTERS = 24
const MAX_CACHED_GUESSES = 20_000

export function createGuesser(
  lexicon: TitleLexicon,
  { beginnings, endings: compoundEndings }: Pick<Aliases['words'], 'beginnings' | 'endings'>,
): Guesser {
  const stems = collectStems(lexicon, beginnings)
  const endings = collectStems(lexicon, compoundEndings)
  const targets = collectTypoTargets(lexicon)
  return memoize(MAX_CACHED_GUESSES, (text) => {
    if (text.length > MAX_LETTERS) return null
    return (
      stripEnding(text, lexicon) ??
      splitJoinedWords(text, lexicon) ??
      joinedColor(text, lexicon) ??
      correctTypo(text, targets) ??
      guessByStem(text, stems) ??
      guessByEnding(text, endings)
    )
  })
}

/** Case endings of Slavic and Baltic languages, as in "iPhonea", "Samsungom", "iPhonui". */
const ENDINGS = 'a u om em ov ova ove ovi ow owi ie iem as us o ui ai ais am ams e i y'.split(' ')
const MAX_ENDING = 3
/** After other words a single letter begins a model, as in "galaxya 54". */
const WORDS_WITH_SHORT_ENDINGS = new Set(['iphone', 'ipad', 'macbook', 'airpods', 'playstation', 'xbox', 'kindle'])

function stripEnding(text: string, lexicon: TitleLexicon): Guess | null {
  for (let letters = MAX_ENDING; letters > 0; letters--) {
    const stem = text.slice(0, -letters)
    if (stem.length < 4 || !ENDINGS.includes(text.slice(-letters))) continue
    if (letters === 1 && !WORDS_WITH_SHORT_ENDINGS.has(stem)) continue
    const word = lexicon.find(stem)
    if (word && !word.isWeakMake && (word.make !== null || word.line !== null))
      return { tokens: [createToken(stem, GAP.blank)], isMistyped: false }
  }
  return null
}

/** What may precede a color in one word. */
const SHADES =
  /^(?:matt?|mat|dunkel|hell|himmel|nacht|donker|licht|lys|mork|morke|ljus|light|dark|deep|sky|ice|space|jet|rose|baby|army|olive?|tamno?|svijetlo|svetlo|tmavo|tmave|svetle|ciemno|jasno|stahl|stein|titan|metallic|phantom|tusch|anthrazit)$/
const MIN_COLOR_LETTERS = 3

/** "mattschwarz", "graygreen", "spacegrijs": a shade or a color and a color. */
function joinedColor(text: string, lexicon: TitleLexicon): Guess | null {
  const isColor = (part: string) => part.length >= MIN_COLOR_LETTERS && lexicon.find(part)?.role === 'color'
  for (let at = MIN_COLOR_LETTERS; at <= text.length - MIN_COLOR_LETTERS; at++) {
    const [first, second] = [text.slice(0, at), text.slice(at)]
    if (isColor(second) && (SHADES.test(first) || isColor(first)))
      return { tokens: [createToken(second, GAP.blank)], isMistyped: false }
  }
  return null
}

/** "iphonexsmax", "macbookair", "갤럭시버즈": known words that cover the whole text. */
function splitJoinedWords(text: string, lexicon: TitleLexicon): Guess | null {
  const isLatin = text.charCodeAt(0) < 0x250
  if (text.length < (isLatin ? 6 : 2)) return null
  const pieces = isLatin ? splitWhole(text, lexicon) : splitGreedy(text, lexicon)
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

/** Korean endings and particles that follow a word. */
const KOREAN_ENDINGS =
  /^(?:[은는이가을를의에로과와도만요]|으로|에서|입니다|이에요|예요|이요|임|랑|하고|부터|까지|급|용|형|폰|색|색상)$/

/** Korean joins words with endings. Other unknown syllables after a model word make it another word, as in 프로덕트. */
function splitGreedy(text: string, lexicon: TitleLexicon): LexiconWord[] | null {
  const pieces: LexiconWord[] = []
  let unknownFrom = 0
  const isEnding = (to: number) => {
    const unknown = text.slice(unknownFrom, to)
    return unknown === '' || !pieces.at(-1)?.replacement || KOREAN_ENDINGS.test(unknown)
  }
  let at = 0
  while (at < text.length) {
    let longestPiece: LexiconWord | undefined
    for (let to = text.length; to > at && !longestPiece; to--) {
      const word = lexicon.find(text.slice(at, to))
      if (word && (word.role || word.unit || isMeaningful(word))) longestPiece = word
    }
    if (!longestPiece) {
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
