/** What the title or description of a listing says about the price: condition, lock, battery, and whether it sells a device. */
import lexicon from '../../../data/text/lexicon.json' with { type: 'json' }
import { type ConditionClass, isDefectGrade } from '../../catalog/grade.ts'
import { GRADE_WORDS, type ParsedCondition, parseCondition } from '../../catalog/grade-words.ts'
import type { DefectCode } from '../../contract/defect-catalogue.ts'
import { foldText } from '../../lib/fold-text.ts'
import { once } from '../../lib/memoize.ts'
import { isNegated, type TextRange } from '../../text/facts.ts'
import { phraseFinder } from '../../text/phrases.ts'
import { type Reading, readText } from '../../text/reader.ts'
import { tokenize } from '../../text/text-tokens.ts'

export type ListingText = {
  /** The worst condition that is stated: "like new, screen cracked" is not like new. */
  readonly condition: ParsedCondition | undefined
  readonly isWanted: boolean
  /** Health in percent. */
  readonly battery: number | null
  readonly isUnlocked: boolean
  readonly isAccountLocked: boolean
  /** The text without its faults, so that the device in it can be matched; null if it states none. */
  readonly withoutFaults: string | null
}

const EMPTY: ListingText = {
  condition: undefined,
  isWanted: false,
  battery: null,
  isUnlocked: false,
  isAccountLocked: false,
  withoutFaults: null,
}

/** The class of a device with a defect. Null: the defect has a term of its own, or none. */
const CLASS_OF_DEFECT: Readonly<Partial<Record<DefectCode, ConditionClass | null>>> = {
  no_power: 'dead',
  water_damage: 'damaged',
  activation_locked: 'locked',
  carrier_locked: null,
  missing_accessories: null,
  weak_battery: null,
}
const CLASS_OF_OTHER_DEFECTS: ConditionClass = 'Poor'

const CLASS_OF_CLAIM = { new: 'New', like_new: 'Excellent', good: 'Good', fair: 'Fair', poor: 'Poor' } as const

/** Best first; if several are stated, the last one counts. */
const RANKING: readonly ConditionClass[] = [
  ...(['New', 'Ungraded', 'Excellent', 'Good', 'Fair', 'Poor'] as const),
  ...(['damaged', 'broken', 'dead', 'locked'] as const),
]

const MAX_LABEL_CHARS = 40

export function readListingText(text: string): ListingText {
  if (text === '') return EMPTY
  const reading = readText(text)
  const faults = reading.statements.filter(({ assertion }) => assertion === 'present')
  const labelOf = ({ from, to }: { from: number; to: number }) =>
    foldText(text.normalize('NFC').slice(from, to)).normalize('NFC').trim().slice(0, MAX_LABEL_CHARS)
  const named = namedClasses(text, reading)
  const conditions: readonly ParsedCondition[] = [
    ...faults.flatMap((fault): ParsedCondition[] => {
      const grade = CLASS_OF_DEFECT[fault.code]
      // "not working" is less than "does not turn on": a marketplace's own word for it is more exact.
      const isNamed = grade === 'dead' && named.some((words) => words.from < fault.to && words.to > fault.from)
      return grade === null || isNamed ? [] : [{ grade: grade ?? CLASS_OF_OTHER_DEFECTS, label: labelOf(fault) }]
    }),
    ...claimedGrades(text, reading),
    ...named,
  ]
  const worst = conditions.reduce<ParsedCondition | undefined>(
    (worstSoFar, each) =>
      worstSoFar && RANKING.indexOf(worstSoFar.grade) >= RANKING.indexOf(each.grade) ? worstSoFar : each,
    undefined,
  )
  return {
    condition: worst && { grade: worst.grade, label: worst.label },
    isWanted: reading.offer === 'wanted',
    battery: reading.battery?.value ?? null,
    isUnlocked: reading.isUnlocked !== null,
    isAccountLocked: faults.some(({ code }) => code === 'activation_locked'),
    withoutFaults: withoutFaults(
      reading,
      named.filter(({ grade }) => isDefectGrade(grade)),
    ),
  }
}

/** Whether a text states anything that is read: a fault or its absence, a grade, wear, battery, a lock, a part. */
export function isUnderstood(text: string): boolean {
  const reading = readText(text)
  const { statements, denials, grades, wear, replacedParts, missingItems, battery, isUnlocked, hasWarranty } = reading
  const found = [statements, denials, grades, wear, replacedParts, missingItems, namedClasses(text, reading)]
  return found.some(({ length }) => length > 0) || [battery, isUnlocked, hasWarranty].some((each) => each !== null)
}

function withoutFaults({ rest, statements }: Reading, named: readonly TextRange[]): string | null {
  if (named.length === 0 && !statements.some(({ assertion }) => assertion === 'present')) return null
  return named.reduce((text, { from, to }) => text.slice(0, from) + ' '.repeat(to - from) + text.slice(to), rest)
}

type GradePhrases = { readonly grade: ConditionClass; readonly find: ReturnType<typeof phraseFinder> }

/** Words of marketplaces for grades that mean one wherever they stand; single words such as "good" may describe anything. */
const gradePhrases = once((): readonly GradePhrases[] => {
  const safe = new Set([...lexicon.gradeWordsInTexts, ...lexicon.notWorking].map(foldText))
  const unsafe = new Set(lexicon.gradeWordsNotInTexts.map(foldText))
  const isHangul = (word: string) => /\p{Script=Hangul}/u.test(word)
  const isMeant = (word: string) =>
    !unsafe.has(foldText(word)) &&
    (word.includes(' ') || safe.has(foldText(word)) || (isHangul(word) && word.length > 1))
  return CLASSES.map((grade) => ({
    grade,
    find: phraseFinder(
      Object.entries(GRADE_WORDS).flatMap(([language, classes]) =>
        // Vietnamese words for good are those for beautiful.
        language === 'Vietnamese' && grade === 'Good'
          ? []
          : (classes[grade] ?? []).filter(isMeant).map((word) => (isHangul(word) ? `${word}*` : word)),
      ),
    ),
  }))
})
const CLASSES = RANKING.filter((grade) => grade !== 'Ungraded' && grade !== 'locked')

const claimedGrades = (text: string, { grades }: Reading): ParsedCondition[] =>
  grades.map(({ value, from, to }) => ({
    grade: CLASS_OF_CLAIM[value],
    label: foldText(text.normalize('NFC').slice(from, to)).slice(0, MAX_LABEL_CHARS),
  }))

/** Classes by the words of marketplaces: "brand new battery" is no new device, and a broken part is the statement's matter. */
function namedClasses(text: string, { denials, replacedParts, statements }: Reading): (ParsedCondition & TextRange)[] {
  const tokens = tokenize(text.normalize('NFC'))
  const ofParts = statements.filter(
    ({ code, assertion }) => assertion !== 'present' || CLASS_OF_DEFECT[code] === undefined,
  )
  const named: (ParsedCondition & TextRange)[] = []
  for (let at = 0; at < tokens.length; at++) {
    let length = 0
    let grade: ConditionClass = parseCondition(tokens[at]?.text ?? '')?.grade ?? 'Ungraded'
    const isWholeWord = grade !== 'Ungraded'
    for (const phrases of gradePhrases()) {
      const found = phrases.find(tokens, at)
      // A whole word counts before one that only begins like it.
      if (found > length && !(isWholeWord && found === 1 && phrases.grade !== grade))
        [length, grade] = [found, phrases.grade]
    }
    if (length === 0) continue
    const words = { from: tokens[at]?.from ?? 0, to: tokens[at + length - 1]?.to ?? 0 }
    const isMeant =
      !(isDefectGrade(grade) && isNegated(tokens, at, at + length, 1)) &&
      !(replacedParts.length > 0 && grade === 'New') &&
      ![...denials, ...ofParts].some((range) => words.from < range.to && words.to > range.from)
    const label = tokens
      .slice(at, at + length)
      .map((token) => token.text)
      .join(' ')
    if (isMeant) named.push({ ...words, grade, label: label.slice(0, MAX_LABEL_CHARS) })
    at += length - 1
  }
  return named
}
