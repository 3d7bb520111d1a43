/** Words of sellers' descriptions with their meaning, and the mentions of them in a text. */
import words from '../../data/aliases/description-words.json' with { type: 'json' }
import makeWords from '../../data/aliases/makes.json' with { type: 'json' }
import modelWords from '../../data/aliases/models.json' with { type: 'json' }
import rewrites from '../../data/aliases/rewrites.json' with { type: 'json' }
import titleWords from '../../data/aliases/words.json' with { type: 'json' }
import type { Condition } from '../contract/condition-grades.ts'
import { foldText } from '../lib/fold-text.ts'
import { once } from '../lib/memoize.ts'

export type PartName = keyof typeof words.parts
export type StateName = keyof typeof words.states
export type StatePhrase = keyof typeof words.phrases

export type WordMeaning =
  | { readonly kind: 'part'; readonly part: PartName }
  | { readonly kind: 'state'; readonly state: StateName }
  | { readonly kind: 'phrase'; readonly phrase: StatePhrase }
  | { readonly kind: 'condition'; readonly condition: Condition }
  /** `isVerbal`: denies what the device does ("can't hear") rather than that it has something ("without marks"). */
  | { readonly kind: 'negation'; readonly isVerbal: boolean }
  | {
      readonly kind:
        | 'accessory'
        | 'box'
        | 'locked'
        | 'unlocked'
        | 'withheld'
        | 'unread'
        | 'negation_after'
        | 'exception'
        | 'assurance'
        | 'and'
        | 'or'
        | 'filler'
    }
  /** Film, glass or a cover on the device. `isCase`: its case, which belongs to earbuds. */
  | { readonly kind: 'covering_part'; readonly isCase: boolean }

/** A phrase of the lexicon in a text; `startsClause` if anything but blanks separates it from the mention before. */
export type Mention = WordMeaning & {
  readonly from: number
  readonly to: number
  readonly startsClause: boolean
  /** No list has the word. */
  readonly isUnknown?: boolean
  /** Only strengthens or weakens what follows: "much quieter", "small scratch". */
  readonly isStrengthener?: boolean
  /** Of a part or a negation: end of the word after it that no list has, as in "screen lifting" and "can't hear". */
  readonly unknownWordTo?: number
}

/** 무잔상: free of burn-in. */
const FREE_OF = '무'
const MAX_PHRASE_WORDS = 5
const MIN_STEM_LENGTH = 3
const MAX_VERB_ENDING = 4
const HANGUL = /^[\uac00-\ud7a3]$/
const isHangul = (character: string) => HANGUL.test(character)
/** Scripts that write words and particles together: Korean, Chinese, Japanese, Thai. */
const UNSPACED = /^[\uac00-\ud7a3\u3040-\u30ff\u4e00-\u9fff\u0e00-\u0e7f]/
const KANA_OR_HAN = /^[\u3040-\u30ff\u4e00-\u9fff]/
const isUnspaced = (text: string) => UNSPACED.test(text)

/** Lower case without accents and apostrophes; Hangul stays composed. */
const foldCharacter = (character: string) =>
  isHangul(character) ? character : foldText(character).replace(/['’´`]/g, '')
const fold = (text: string) => text.normalize('NFC').replace(/[^\uac00-\ud7a3]+/g, foldCharacter)

const TOKEN =
  /[\uac00-\ud7a3]+|[\u3040-\u30ff\u4e00-\u9fff]+|[\u0e00-\u0e7f]+|(?:(?![\u3040-\u30ff\u4e00-\u9fff])[\p{L}\p{N}])+|[&+/]/gu
const tokenTexts = (folded: string) => folded.match(TOKEN) ?? []

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }
/** "Rückseite" as "Rueckseite". */
const withoutUmlauts = (text: string) => text.replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter)

type Lexicon = {
  readonly meanings: ReadonlyMap<string, WordMeaning>
  /** Beginnings of inflected words, written with a star: "gesprung*". */
  readonly stems: ReadonlyMap<string, WordMeaning>
  readonly longestUnspacedWord: number
}

const lexicon = once((): Lexicon => {
  const meanings = new Map<string, WordMeaning>()
  const stems = new Map<string, WordMeaning>()
  let longestUnspacedWord = 1

  /** The first meaning of a word wins. */
  function define(texts: readonly string[], meaning: WordMeaning): void {
    for (const text of texts.flatMap((written) => [written, withoutUmlauts(written)])) {
      const phrase = tokenTexts(fold(text.replace('*', ''))).join(' ')
      const target = text.endsWith('*') ? stems : meanings
      if (!target.has(phrase)) target.set(phrase, meaning)
      if (isUnspaced(phrase)) longestUnspacedWord = Math.max(longestUnspacedWord, phrase.length)
    }
  }

  function defineAll<Name extends string>(
    table: Readonly<Record<Name, readonly string[]>>,
    toMeaning: (name: Name) => WordMeaning,
  ): void {
    for (const [name, texts] of Object.entries(table) as [Name, readonly string[]][]) define(texts, toMeaning(name))
  }

  define(words.assurances, { kind: 'assurance' })
  define(words.withheld, { kind: 'withheld' })
  define(words.unlocked, { kind: 'unlocked' })
  define(words.locked, { kind: 'locked' })
  defineAll(words.phrases, (phrase) => ({ kind: 'phrase', phrase }))
  defineAll(words.conditions, (condition) => ({ kind: 'condition', condition }))
  defineAll(words.parts, (part) => ({ kind: 'part', part }))
  defineAll(words.states, (state) => ({ kind: 'state', state }))
  define(words.unread, { kind: 'unread' })
  define(words.accessories, { kind: 'accessory' })
  define(words.boxes, { kind: 'box' })
  define(words.coveringParts, { kind: 'covering_part', isCase: false })
  define(words.cases, { kind: 'covering_part', isCase: true })
  define(words.negations, { kind: 'negation', isVerbal: false })
  define(words.verbalNegations, { kind: 'negation', isVerbal: true })
  define(words.negationsAfter, { kind: 'negation_after' })
  define(words.exceptions, { kind: 'exception' })
  define(words.and, { kind: 'and' })
  define(words.or, { kind: 'or' })
  define(words.fillers, { kind: 'filler' })
  define(words.harmless, { kind: 'filler' })
  return { meanings, stems, longestUnspacedWord }
})

function meaningOfPhrase(phrase: string): WordMeaning | undefined {
  const { meanings, stems } = lexicon()
  const meaning = meanings.get(phrase)
  if (meaning) return meaning
  const lastWordFrom = phrase.lastIndexOf(' ') + 1
  for (let end = phrase.length; end >= lastWordFrom + MIN_STEM_LENGTH; end--) {
    const stem = stems.get(phrase.slice(0, end))
    if (stem) return stem
  }
  return undefined
}

/** A folded text and the position in the original of each of its characters. */
function foldWithPositions(text: string): { readonly folded: string; readonly positions: readonly number[] } {
  let folded = ''
  const positions: number[] = []
  let at = 0
  for (const character of text) {
    const part = foldCharacter(character)
    for (let i = 0; i < part.length; i++) positions.push(at)
    folded += part
    at += character.length
  }
  positions.push(at)
  return { folded, positions }
}

/** Words that say nothing about the state of a device: colors, makes, models, places, praise. */
const titleWordSet = once(
  (): ReadonlySet<string> =>
    new Set(
      [
        ...Object.values(titleWords.plain),
        ...[
          titleWords.colors,
          titleWords.carriers,
          titleWords.categories,
          titleWords.conditions,
          titleWords.connectivity,
        ],
        ...[titleWords.locks, titleWords.units, modelWords.lines, makeWords.spellings],
        ...[modelWords.modelWords, modelWords.adjacentWords, Object.keys(makeWords.spellings)],
        ...[Object.keys(rewrites.always), Object.keys(rewrites.beforeNumber), words.neutral],
      ].flatMap((group) =>
        (Array.isArray(group) ? group : Object.values(group).flat()).flatMap((text) => tokenTexts(fold(text))),
      ),
    ),
)

/** Words of makes and models: what they stand beside may be a device. */
const nameWordSet = once(
  (): ReadonlySet<string> =>
    new Set(
      [
        ...[Object.keys(makeWords.spellings), Object.values(makeWords.spellings).flat()],
        ...[Object.values(modelWords.lines).flat(), modelWords.modelWords, modelWords.adjacentWords],
      ].flatMap((texts) => texts.flatMap((text) => tokenTexts(fold(text)))),
    ),
)

const MAX_SUFFIX_LETTERS = 3

/**
 * Whether a word may belong to the name of a device. Not so "one" and "two", which also count parts ("DJI Mini 2 one motor
 * stalls"), but short words that no list has, as in "RTX 4060 Ti".
 */
export function isNameWord(text: string): boolean {
  const word = fold(text)
  const meaning = meaningOfPhrase(word)
  if (nameWordSet().has(word)) return meaning?.kind !== 'filler'
  return word.length <= MAX_SUFFIX_LETTERS && !isUnspaced(word) && !meaning && !titleWordSet().has(word)
}

/** Whether a word of a make or a model, other than one that also counts or joins: "one", "a". */
export const isModelWord = (text: string) =>
  nameWordSet().has(fold(text)) && meaningOfPhrase(fold(text))?.kind !== 'filler'

const MIN_PHRASE_WORDS = 2

/** Whether words that no list has stand beside words of a sentence, as in "geht einfach aus". */
export function isPhrase(texts: readonly string[]): boolean {
  const words = texts.map(fold)
  return (
    words.length >= MIN_PHRASE_WORDS &&
    words.some(isUnknownWord) &&
    words.some((word) => SENTENCE_WORDS.has(meaningOfPhrase(word)?.kind))
  )
}

const SENTENCE_WORDS = new Set<WordMeaning['kind'] | undefined>(['filler', 'negation', 'part', 'state'])

/** Parts that sellers seldom mention without saying something about their state. */
const PARTS_WITH_STATE: ReadonlySet<PartName> = new Set<PartName>([
  'screen',
  'glass',
  'battery',
  'camera',
  'biometric',
  'buttons',
  'sound',
  'charging',
  'fan',
  'hinge',
  'motor',
])
const MIN_UNKNOWN_LETTERS = 4
const MIN_UNKNOWN_SYLLABLES = 2

/** Arabic, Hebrew, Hindi, Thai, Chinese and Japanese: few words of these scripts are known, so that any unknown one may matter. */
const SCRIPT_WITH_SHORT_LISTS = /^[\u0590-\u10ff\u3040-\u30ff\u4e00-\u9fff]/

/** Whether words of titles make up the text of an unspaced script. */
function hasTitleWords(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    let length = text.length - at
    while (length > 0 && !titleWordSet().has(text.slice(at, at + length))) length--
    if (length === 0) return false
    at += length
  }
  return true
}

/** Whether a Chinese character is in no word of a list: 灌 in 电池灌水. Kana beside known words are mostly endings. */
function hasUnknownCharacter(text: string, pieces: readonly { readonly from: number; readonly to: number }[]): boolean {
  let rest = text
  for (const { from, to } of pieces) rest = rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to)
  return rest.split(/[^\u4e00-\u9fff]+/).some((characters) => characters !== '' && !hasTitleWords(characters))
}

/** Whether no list has the word, so that it may change the price. Short words are mostly particles. */
export function isUnknownWord(text: string): boolean {
  if (titleWordSet().has(text)) return false
  if (isUnspaced(text)) {
    if (text.startsWith(FREE_OF)) return isUnknownWord(text.slice(FREE_OF.length))
    if (text.length < MIN_UNKNOWN_SYLLABLES || hasTitleWords(text)) return false
    const pieces = splitUnspaced({ text, from: 0, to: text.length })
    if (pieces.some(({ meaning }) => meaning.kind === 'assurance')) return false
    return pieces.length === 0 || (KANA_OR_HAN.test(text) && hasUnknownCharacter(text, pieces))
  }
  const minLetters = SCRIPT_WITH_SHORT_LISTS.test(text) ? MIN_UNKNOWN_SYLLABLES : MIN_UNKNOWN_LETTERS
  return text.length >= minLetters && /^\p{L}+$/u.test(text) && !meaningOfPhrase(text)
}

const wordSet = (texts: readonly string[]) =>
  once((): ReadonlySet<string> => new Set(texts.flatMap((text) => tokenTexts(fold(text)))))
const inabilities = wordSet(words.inabilities)
/** "Not Pink" is a color. */
const harmlessDenials = wordSet([...words.harmlessDenials, ...Object.values(titleWords.colors).flat()])

const changeVerbs = wordSet(words.changeVerbs)
/** "screen goes dark": what changes by itself may be a fault. */
const isUnknownOrChange = (text: string) => isUnknownWord(text) || changeVerbs().has(text)

/** "won't sync", "can't test": whatever it cannot do may be a fault, unlike "won't ship". */
const isFaultIfDenied = (text: string) =>
  text.length >= MIN_DENIED_LETTERS && /^\p{L}+$/u.test(text) && !meaningOfPhrase(text) && !harmlessDenials().has(text)
const MIN_DENIED_LETTERS = 3

/**
 * End of the word after the token at `last` that no list explains, with nothing but blanks and fillers between them: an unknown
 * word, or any word that the device is unable to do.
 */
function unexplainedWordAfter(folded: string, tokens: readonly TokenRange[], last: number): number | undefined {
  const isUnexplained = inabilities().has(tokens[last]?.text ?? '') ? isFaultIfDenied : isUnknownOrChange
  for (let at = last + 1; at < tokens.length; at++) {
    const token = tokens[at] as TokenRange
    if (/\S/.test(folded.slice((tokens[at - 1] as TokenRange).to, token.from))) return undefined
    if (strengtheners().has(token.text)) continue
    if (meaningOfPhrase(token.text)?.kind !== 'filler') return isUnexplained(token.text) ? token.to : undefined
  }
  return undefined
}

const MISSPELLINGS: Readonly<Record<string, string>> = words.misspellings

type TokenRange = { readonly text: string; readonly from: number; readonly to: number }

/** All phrases of the lexicon in a text in NFC, longest first at each word. */
export function findMentions(text: string): Mention[] {
  const { folded, positions } = foldWithPositions(text)
  const tokens = [...folded.matchAll(TOKEN)].map(({ 0: token, index }) => ({
    text: MISSPELLINGS[token] ?? token,
    from: index,
    to: index + token.length,
  }))
  const mentions: Mention[] = []
  let previousTo = 0
  const original = (end: number) => Math.max((positions[end - 1] ?? 0) + 1, positions[end] ?? 0)
  const add = (
    meaning: WordMeaning & Pick<Mention, 'isUnknown' | 'isStrengthener'>,
    from: number,
    to: number,
    lastToken: number,
  ) => {
    const startsClause = /[^\s\-–'"]/.test(folded.slice(previousTo, from))
    const mention = { ...meaning, from: positions[from] ?? 0, to: original(to), startsClause }
    const hasState =
      (meaning.kind === 'part' && PARTS_WITH_STATE.has(meaning.part)) ||
      (meaning.kind === 'negation' && meaning.isVerbal)
    const unknownTo = hasState ? unexplainedWordAfter(folded, tokens, lastToken) : undefined
    mentions.push(unknownTo === undefined ? mention : { ...mention, unknownWordTo: original(unknownTo) })
    previousTo = to
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as TokenRange
    const phrase = longestPhrase(folded, tokens, at)
    const isStrengthener = strengtheners().has(token.text) && !nameWordSet().has(token.text)
    if (isStrengthener && (!phrase || (phrase.words === 1 && phrase.meaning.kind === 'filler'))) {
      add({ kind: 'filler', isStrengthener }, token.from, token.to, at)
    } else if (phrase) {
      const last = at + phrase.words - 1
      add(phrase.meaning, token.from, (tokens[last] as TokenRange).to, last)
      at = last
      continue
    }
    if (isStrengthener) continue
    if (isUnspaced(token.text)) {
      // Words and particles are written together: 액정이깨짐.
      const pieces = splitUnspaced(token)
      if (namesUnknownState(token, pieces)) add({ kind: 'unread', isUnknown: true }, token.from, token.to, at)
      else for (const { from, to, meaning } of pieces) add(meaning, from, to, at)
    }
    if (SCRIPT_WITH_SHORT_LISTS.test(token.text) && isUnknownWord(token.text))
      add({ kind: 'unread', isUnknown: true }, token.from, token.to, at)
  }
  return mentions
}

/** Whether a text names a part of a device, such as its keyboard. */
export const namesPart = (text: string) => findMentions(text).some(({ kind }) => kind === 'part')

/** 液晶不良, if no list had 不良: a part, and characters about it that no list has. */
function namesUnknownState(
  { text }: TokenRange,
  pieces: readonly { readonly from: number; readonly to: number; readonly meaning: WordMeaning }[],
): boolean {
  if (!KANA_OR_HAN.test(text) || pieces.length === 0) return false
  const rest = text.length - pieces.reduce((length, { from, to }) => length + to - from, 0)
  return rest >= MIN_UNKNOWN_SYLLABLES && pieces.every(({ meaning }) => meaning.kind === 'part')
}

/** A phrase and the number of words it takes, with words that only strengthen: "gets very hot". */
type FoundPhrase = { readonly meaning: WordMeaning; readonly words: number }

const strengtheners = once(
  (): ReadonlySet<string> => new Set(words.strengtheners.flatMap((text) => tokenTexts(fold(text)))),
)

/** The longest phrase that starts here, without words that only strengthen if that makes it longer. */
function longestPhrase(folded: string, tokens: readonly TokenRange[], at: number): FoundPhrase | undefined {
  const asWritten = longestPhraseWithout(NOTHING, folded, tokens, at)
  const shortened = longestPhraseWithout(strengtheners(), folded, tokens, at)
  return shortened && shortened.words > (asWritten?.words ?? 0) ? shortened : asWritten
}

const NOTHING: ReadonlySet<string> = new Set()

function longestPhraseWithout(
  leftOut: ReadonlySet<string>,
  folded: string,
  tokens: readonly TokenRange[],
  at: number,
): FoundPhrase | undefined {
  let phrase = ''
  let longest: FoundPhrase | undefined
  for (let count = 1, length = 0; length < MAX_PHRASE_WORDS; count++) {
    const token = tokens[at + count - 1]
    const previous = tokens[at + count - 2]
    if (!token || (count > 1 && previous && /[,;:!?()|]/.test(folded.slice(previous.to, token.from)))) break
    if (count > 1 && leftOut.has(token.text)) continue
    phrase = count === 1 ? token.text : `${phrase} ${token.text}`
    length++
    const meaning = meaningOfPhrase(phrase)
    if (meaning) longest = { meaning, words: count }
  }
  return longest
}

function splitUnspaced({ text, from }: TokenRange) {
  const { meanings, longestUnspacedWord } = lexicon()
  const pieces: { from: number; to: number; meaning: WordMeaning }[] = []
  for (let at = 0; at < text.length; at++) {
    for (let length = Math.min(longestUnspacedWord, text.length - at); length > 0; length--) {
      const meaning = meanings.get(text.slice(at, at + length))
      if (!meaning) continue
      if (text[at - 1] === FREE_OF) break
      pieces.push({ from: from + at, to: from + at + length, meaning })
      at += length - 1
      break
    }
  }
  // The ending of a verb: 깨졌어요.
  const last = pieces.at(-1)
  const end = from + text.length
  if (last && last.meaning.kind === 'state' && end - last.to <= MAX_VERB_ENDING) last.to = end
  return pieces
}

/** Without those that matter if nothing else is said: "fault". */
const neutralWords = once(
  (): ReadonlySet<string> =>
    new Set(words.neutral.flatMap((text) => tokenTexts(fold(text)))).difference(
      new Set(words.ambiguous.flatMap((text) => tokenTexts(fold(text)))),
    ),
)

const NEUTRAL_KINDS = new Set<WordMeaning['kind']>(['filler', 'accessory', 'box', 'and'])
const BOX_KINDS = new Set<WordMeaning['kind']>(['filler', 'box', 'and', 'or', 'negation', 'negation_after'])

/** Whether a text has only words that say nothing about a device's price: "with charger", "leichte" of "leichte Kratzer". */
export function isNeutral(text: string): boolean {
  let rest = text.normalize('NFC')
  const mentions = findMentions(rest)
  // "no box": only what may be missing besides the box matters.
  const isOfBox = mentions.some(({ kind }) => kind === 'box') && !mentions.some(({ kind }) => kind === 'accessory')
  const neutralKinds = isOfBox ? BOX_KINDS : NEUTRAL_KINDS
  for (const { kind, from, to } of mentions) {
    if (neutralKinds.has(kind)) rest = rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to)
  }
  return tokenTexts(fold(rest)).every((word) => neutralWords().has(word) || strengtheners().has(word))
}

const carrierNames = once(
  (): ReadonlySet<string> =>
    new Set(
      [...words.carriers, ...Object.values(titleWords.carriers).flat()].map((name) => tokenTexts(fold(name)).join(' ')),
    ),
)

/** Whether a text is the name of a carrier. */
export const isCarrier = (text: string) => carrierNames().has(tokenTexts(fold(text)).join(' '))
