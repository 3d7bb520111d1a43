/** Reads everything but the model from a title or description: condition, defects, battery, lock, storage, wanted ads. */
import aliasWords from '../../../data/aliases/words.json' with { type: 'json' }
import { type ConditionClass, isDefectGrade } from '../../catalog/grade.ts'
import { GRADE_WORDS, type ParsedCondition } from '../../catalog/grade-words.ts'
import { foldText } from '../../lib/fold-text.ts'

export type ListingText = {
  /** The worst condition that is named: "like new, screen cracked" is not like new. */
  readonly condition: ParsedCondition | undefined
  readonly isWanted: boolean
}

/** Best first; if several are named, the last one counts. */
const RANKING: readonly ConditionClass[] = [
  ...(['New', 'Ungraded', 'Excellent', 'Good', 'Fair', 'Poor'] as const),
  ...(['damaged', 'broken', 'dead', 'locked'] as const),
]

/** Single words that mean a condition wherever they stand; other single words ("new", "good", "mint") may describe anything. */
const SAFE_WORDS = new Set([
  ...[
    'sealed',
    'bnib',
    'unopened',
    'originalverpackt',
    'versiegelt',
    'precintado',
    'sigillato',
    'zafoliowany',
    'uabnet',
  ],
  ...['neatidarytas', 'neispakuotas', 'neotpakirano', 'flawless', 'pristine', 'immaculate', 'neuwertig', 'makellos'],
  ...['impecable', 'fejlfri', 'cracked', 'glasbruch', 'displayschaden', 'damaged', 'bent', 'beschadigt', 'osteceno'],
  ...['ostecen', 'uszkodzony', 'uszkodzone', 'apgadintas', 'pazeistas', 'sudauzytas', 'beskadiget', 'danneggiato'],
  ...['endommage', 'abime', 'danado', 'broken', 'faulty', 'defective', 'defekt', 'bastler', 'kaputt', 'neispravno'],
  ...[
    'neispravan',
    'neispravna',
    'pokvareno',
    'pokvaren',
    'neveikiantis',
    'neveikia',
    'dalims',
    'sugedes',
    'sugadintas',
  ],
  ...['averiado', 'guasto', 'niesprawny', 'odelagt', 'salvage', 'dead', 'neisijungia', 'razbijen', 'razbijeno'],
])
/** Phrases that are a condition in a cell of their own but not within a sentence. */
const UNSAFE_PHRASES = new Set([
  'new other',
  'new open box',
  'fully working',
  'in ordnung',
  'a like new',
  'a new',
  'a old',
  'i stykker',
])

const isHangul = (text: string) => /[\u1100-\u11ff\uac00-\ud7a3]/.test(text)

type Phrase = { readonly text: string; readonly words: readonly string[]; readonly grade: ConditionClass }

const GRADE_BY_PHRASE = new Map<string, ConditionClass>()
const HANGUL_PHRASES: { readonly phrase: string; readonly grade: ConditionClass }[] = []
for (const [language, classes] of Object.entries(GRADE_WORDS)) {
  for (const [grade, words] of Object.entries(classes) as [ConditionClass, readonly string[]][]) {
    for (const word of words) {
      const phrase = foldText(word)
      if (isHangul(word)) {
        // "중", "하" and the like are parts of other words.
        if (word.length > 1 && grade !== 'Ungraded') HANGUL_PHRASES.push({ phrase, grade })
      } else if (grade !== 'Ungraded' && !UNSAFE_PHRASES.has(phrase)) {
        const isPhrase = phrase.includes(' ') && (language !== 'Vietnamese' || grade !== 'Good')
        if (isPhrase || SAFE_WORDS.has(phrase)) GRADE_BY_PHRASE.set(phrase, grade)
      }
    }
  }
}
HANGUL_PHRASES.sort((a, b) => b.phrase.length - a.phrase.length)
/** By their first word, longest first: few words of a title begin a phrase. */
const PHRASES_BY_START: ReadonlyMap<string, readonly Phrase[]> = Map.groupBy(
  Array.from(GRADE_BY_PHRASE, ([text, grade]) => ({ text, words: text.split(' '), grade })).sort(
    (a, b) => b.words.length - a.words.length,
  ),
  ({ words }) => words[0] as string,
)

const NEGATIONS = new Set([
  ...[
    'no',
    'not',
    'without',
    'never',
    'isnt',
    'ohne',
    'kein',
    'keine',
    'keinen',
    'nicht',
    'sans',
    'sin',
    'senza',
    'bez',
  ],
  ...['be', 'nera', 'nema', 'nije', 'nie', 'uden', 'ikke', 'utan', 'zonder', 'geen', 'khong', 'pas', 'non', 'ne'],
])
/** "brand new battery": the part is new, not the device. */
const PARTS = new Set([
  ...[
    'battery',
    'screen',
    'display',
    'glass',
    'back',
    'akku',
    'bildschirm',
    'batterie',
    'ecran',
    'bateria',
    'baterija',
  ],
  ...[
    'pantalla',
    'schermo',
    'batteria',
    'ekran',
    'ekranas',
    'baterie',
    'batteri',
    'skaerm',
    'case',
    'charger',
    'cover',
  ],
])

const WANTED_WORDS = new Set(aliasWords.plain.wanted.map(foldText).filter((text) => !/\s/.test(text)))
/** Verbs are glued to the name; shorter words also occur within others. */
const WANTED_HANGUL = aliasWords.plain.wanted.filter((text) => /^\p{Script=Hangul}{3,}$/u.test(text)).map(foldText)

const normalize = (text: string) => foldText(text).replace(/['’]/g, '')

type Word = { readonly text: string; readonly from: number; readonly to: number }

const OTHER_WORD_CHARACTER = /[\p{L}\p{N}]/u

function isInWord(folded: string, at: number): boolean {
  const code = folded.charCodeAt(at)
  if (code > 127) return OTHER_WORD_CHARACTER.test(folded[at] as string)
  const isLetterOrDigit = (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
  return isLetterOrDigit || code === 43 || code === 37
}

/** Words of a normalized text with their positions; plus and percent signs count as letters. */
function splitText(folded: string): Word[] {
  const words: Word[] = []
  for (let at = 0; at < folded.length; at++) {
    if (!isInWord(folded, at)) continue
    const from = at
    while (at < folded.length && isInWord(folded, at)) at++
    words.push({ text: folded.slice(from, at), from, to: at })
  }
  return words
}

type Mention = ParsedCondition & { readonly from: number; readonly to: number; readonly isNegated: boolean }

function findMentions(folded: string, words: readonly Word[]): Mention[] {
  const mentions: Mention[] = []
  for (let at = 0; at < words.length; at++) {
    const candidates = PHRASES_BY_START.get((words[at] as Word).text)
    const phrase = candidates?.find((candidate) => isPhraseAt(words, at, candidate))
    if (!phrase) continue
    const last = at + phrase.words.length - 1
    const isOfPart = phrase.grade === 'New' && PARTS.has(words[last + 1]?.text ?? '')
    const { from } = words[at] as Word
    const { to } = words[last] as Word
    const isNegated =
      !phrase.text.startsWith('no') &&
      words
        .slice(Math.max(0, at - 2), at)
        .some((word) => NEGATIONS.has(word.text) && !/[,.;:!]/.test(folded.slice(word.to, from)))
    if (!isOfPart) mentions.push({ grade: phrase.grade, label: phrase.text.slice(0, 40), from, to, isNegated })
    at = last
  }
  if (isHangul(folded)) mentions.push(...findHangul(folded))
  return mentions
}

const isPhraseAt = (words: readonly Word[], at: number, phrase: Phrase) =>
  phrase.words.every((text, offset) => words[at + offset]?.text === text)

const NONE = foldText('없')
const FREE_OF = foldText('무')

function findHangul(folded: string): Mention[] {
  const mentions: Mention[] = []
  for (const { phrase, grade } of HANGUL_PHRASES) {
    const from = folded.indexOf(phrase)
    const to = from + phrase.length
    if (from < 0 || mentions.some((other) => from >= other.from && to <= other.to)) continue
    const after = folded.slice(to).trimStart()
    const isNegated = after.startsWith(NONE) || /^x(\W|$)/.test(after) || folded.slice(0, from).endsWith(FREE_OF)
    mentions.push({ grade, label: phrase.normalize('NFC'), from, to, isNegated })
  }
  return mentions
}

export function readListingText(text: string): ListingText {
  if (text === '') return { condition: undefined, isWanted: false }
  const folded = normalize(text)
  const words = splitText(folded)
  const mentions = findMentions(folded, words).filter(({ isNegated }) => !isNegated)
  const worst = mentions.reduce<Mention | undefined>(
    (worstSoFar, mention) =>
      worstSoFar && RANKING.indexOf(worstSoFar.grade) >= RANKING.indexOf(mention.grade) ? worstSoFar : mention,
    undefined,
  )
  return { condition: worst && { grade: worst.grade, label: worst.label }, isWanted: isWantedAd(folded, words) }
}

function isWantedAd(folded: string, words: readonly Word[]): boolean {
  if (isHangul(folded) && WANTED_HANGUL.some((phrase) => folded.includes(phrase))) return true
  return WANTED_WORDS.has(words[0]?.text ?? '') || WANTED_WORDS.has(words.at(-1)?.text ?? '')
}

/** A title without its words for defects, so that the model in it can be matched; undefined when it names none. */
export function withoutDefects(text: string): { readonly text: string; readonly isLocked: boolean } | undefined {
  const folded = normalize(text)
  const mentions = findMentions(folded, splitText(folded)).filter(
    ({ grade }) => isDefectGrade(grade) || grade === 'locked' || grade === 'Poor',
  )
  if (mentions.length === 0) return undefined
  const rest = mentions.reduce(
    (remaining, { from, to }) => `${remaining.slice(0, from)}${' '.repeat(to - from)}${remaining.slice(to)}`,
    folded,
  )
  return {
    text: rest.normalize('NFC'),
    isLocked: mentions.some(({ grade, isNegated }) => grade === 'locked' && !isNegated),
  }
}

const BATTERY_WORDS = `batter\\p{L}*|akku\\p{L}*|bater\\p{L}*|accu|bh|${foldText('배터리')}\\p{L}*|${foldText('성능')}`
const BATTERY_BEFORE = new RegExp(`(?:${BATTERY_WORDS})[^\\d\\n]{0,20}(\\d{2,3}) ?(?:%|${foldText('프로')}|$)`, 'u')
const BATTERY_AFTER = new RegExp(`(\\d{2,3}) ?% ?(?:${BATTERY_WORDS})`, 'u')

/** Battery health in percent as a text states it: "Akku 87 %", "89% battery health". */
export function batteryPercent(text: string): number | undefined {
  const folded = foldText(text)
  const percent = Number((BATTERY_BEFORE.exec(folded) ?? BATTERY_AFTER.exec(folded))?.[1])
  return percent >= 40 && percent <= 100 ? percent : undefined
}

const UNLOCKED = new RegExp(
  `(?<!\\p{L})(?:unlocked|sim ?free|simlockfrei|ohne simlock|debloque|desimlocke|liberado|sbloccato|bez simlocka|na sve mreze|otkljucan\\p{L}*|atrakintas|visiem? operator\\p{L}*)(?!\\p{L})|${foldText('자급제')}|${foldText('공기계')}`,
  'u',
)

/** `unlocked` where a text says so; empty otherwise. */
export const lockInText = (text: string) => (UNLOCKED.test(foldText(text)) ? 'unlocked' : '')

const STORAGE = new RegExp(
  `(?<![\\p{L}\\d.,])(\\d{1,4}) ?(gb|tb|gigab\\p{L}*|g(?!\\p{L})|${foldText('기가')}|гб)`,
  'gu',
)

/** The storage sizes that a text states, such as `128GB`, without memory ("8GB RAM"). */
export function storageSizes(text: string): string[] {
  const folded = foldText(text)
  const sizes = new Set<string>()
  for (const { 0: whole, 1: number = '', 2: unit = '', index } of folded.matchAll(STORAGE)) {
    const isMemory =
      /ram:? ?$/.test(folded.slice(0, index)) || /^ ?\(?(ram|of ram)/.test(folded.slice(index + whole.length))
    const size = Number(number)
    const isStorage = unit === 'tb' ? size <= 8 : size >= 16 && Number.isInteger(Math.log2(size))
    if (isStorage && !isMemory) sizes.add(`${size}${unit === 'tb' ? 'TB' : 'GB'}`)
  }
  return [...sizes]
}
