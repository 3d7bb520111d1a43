/** What a seller's text says about a device: the name in it, and what the reading of its other words means for an appraisal. */

import { isModelWord } from '../catalog/matching/model-words.ts'
import type { Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import { identifierOf, type TextRange } from '../text/facts.ts'
import { type Reading, readText as read, type Statement } from '../text/reader.ts'
import { storageSizes } from '../text/sizes.ts'
import { isNumber, tokenize } from '../text/text-tokens.ts'

/** A statement of the text. `codes`: the defects it may mean; the first that the device can have counts. */
export type TextFinding =
  | { readonly field: 'defects'; readonly words: string; readonly codes: readonly DefectCode[] }
  | { readonly field: 'condition'; readonly words: string; readonly condition: Condition }
  | { readonly field: 'lock'; readonly words: string; readonly lock: CarrierLock }
  | { readonly field: 'battery_health'; readonly words: string; readonly percent: number }

/** Words that may change the price but fit no field. `withholdsOffer`: no offer is made, as for "stolen". */
export type UnreadWords = { readonly words: string; readonly withholdsOffer: boolean }

/** Words of the text and the field that they set. */
export type ReadField = { readonly words: string; readonly field: string; readonly value: string }

export type DescribedDevice = {
  /** Where the name of the device may stand, likeliest first, without what was read. */
  readonly names: readonly string[]
  /** Later clauses of a longer text that may name it, where the beginning does not. */
  readonly laterNames: readonly string[]
  /** The short title with its statements, of which one may be what is sold; null for longer texts. */
  readonly title: string | null
  readonly findings: readonly TextFinding[]
  /** The words of each fault that the text states. */
  readonly stated: readonly string[]
  readonly unreadWords: readonly UnreadWords[]
  /** What is shown and not priced: warranty, replaced parts and wear by place. */
  readonly facts: readonly ReadField[]
  /** IMEI in the text, if its check digit is right. */
  readonly identifier: string | null
  readonly reading: Reading
}

/** The same part has another name in other kinds of devices: the camera of a phone is the lens of a camera. */
const ALSO: Readonly<Partial<Record<DefectCode, readonly DefectCode[]>>> = {
  camera: ['lens', 'image_sensor'],
  lens: ['camera'],
  image_sensor: ['cracked_screen'],
  ports: ['charging_port'],
  charging_port: ['ports'],
  buttons: ['keyboard_or_trackpad'],
  keyboard_or_trackpad: ['buttons'],
  image_errors: ['cracked_screen'],
  cracked_screen: ['image_errors'],
  gimbal: ['camera'],
  motor: ['speaker_or_microphone'],
  missing_earbud: ['speaker_or_microphone'],
  speaker_or_microphone: ['missing_earbud'],
}

const GRADES = { new: 'Excellent', like_new: 'Excellent', good: 'Good', fair: 'Fair', poor: 'Poor' } as const
/** Wear that is seen from afar is no Good device; light wear says nothing that a grade must say. */
const GRADES_OF_WEAR = { none: null, light: null, visible: 'Fair', heavy: 'Poor' } as const

export function describeDevice(text: string, reading: Reading = read(text)): DescribedDevice {
  const source = text.normalize('NFC')
  const words = ({ from, to }: TextRange) => source.slice(from, to).replace(/\s+/g, ' ').trim()
  const found: (TextRange & { readonly finding: TextFinding })[] = []
  const add = ({ from, to }: TextRange, finding: TextFinding) => found.push({ from, to, finding })
  const { battery, points, isUnlocked } = reading
  const stated = reading.statements.filter(({ assertion }) => assertion === 'present')
  if (battery) add(battery, { field: 'battery_health', words: words(battery), percent: battery.value })
  for (const statement of stated) add(statement, findingOf(statement, words(statement)))
  for (const phrase of reading.taught) {
    const { condition, defect } = phrase
    if (condition) add(phrase, { field: 'condition', words: words(phrase), condition })
    if (defect) add(phrase, { field: 'defects', words: words(phrase), codes: [defect] })
  }
  const isLocked = stated.some(({ code }) => code === 'carrier_locked')
  if (isUnlocked && !isLocked) add(isUnlocked, { field: 'lock', words: words(isUnlocked), lock: 'unlocked' })
  if (points) add(points, { field: 'condition', words: words(points), condition: gradeOfPoints(points.value) })
  for (const claim of reading.grades)
    add(claim, { field: 'condition', words: words(withoutName(source, claim)), condition: GRADES[claim.value] })
  for (const claim of reading.wear) {
    const condition = GRADES_OF_WEAR[claim.value]
    if (condition) add(claim, { field: 'condition', words: words(claim), condition })
  }
  const findings = found.toSorted((a, b) => a.from - b.from).map(({ finding }) => finding)
  const { barred, unclear } = reading
  return {
    names: namesIn(source, reading),
    laterNames: laterNamesIn(source, reading),
    title: isShortTitle(source) ? tidyName(withoutFacts(source, reading)) : null,
    findings: withWorstGrade(findings),
    stated: stated.map(words),
    unreadWords: [
      ...(barred ? [{ words: words(barred), withholdsOffer: true }] : []),
      ...unclear.map((clause) => ({ words: words(clause), withholdsOffer: false })),
    ],
    facts: factsOf(reading).map(({ range, field, value }) => ({ words: words(range), field, value })),
    identifier: identifierOf(reading),
    reading,
  }
}

function factsOf({ hasWarranty, replacedParts, wear }: Reading) {
  const originality = (isOriginal: boolean | null) =>
    isOriginal === null ? 'unknown' : isOriginal ? 'original' : 'copy'
  return [
    ...(hasWarranty ? [{ range: hasWarranty, field: 'warranty', value: hasWarranty.value ? 'left' : 'over' }] : []),
    ...replacedParts.map((part) => ({
      range: part,
      field: `replaced.${part.value}`,
      value: originality(part.isOriginal),
    })),
    ...wear.flatMap((claim) =>
      (claim.places.length > 0 ? claim.places.map((place) => `wear.${place}`) : ['wear']).map((field) => ({
        range: claim,
        field,
        value: claim.value,
      })),
    ),
  ]
}

function findingOf({ code }: Statement, words: string): TextFinding {
  if (code === 'carrier_locked') return { field: 'lock', words, lock: 'locked' }
  return { field: 'defects', words, codes: [code, ...(ALSO[code] ?? [])] }
}

/** The grade of a seller who gives points out of ten. */
function gradeOfPoints(points: number): Condition {
  if (points === 10) return 'Excellent'
  if (points >= 8) return 'Good'
  return points >= 6 ? 'Fair' : 'Poor'
}

const WORST_FIRST: readonly Condition[] = ['Poor', 'Fair', 'Good', 'Excellent']

/** Of several grades the worst counts. */
function withWorstGrade(findings: readonly TextFinding[]): TextFinding[] {
  const worst = WORST_FIRST.flatMap(
    (grade) => findings.find((finding) => finding.field === 'condition' && finding.condition === grade) ?? [],
  )[0]
  return findings.filter((finding) => finding.field !== 'condition' || finding === worst)
}

const blank = (rest: string, { from, to }: TextRange) => rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to)

/** The text without numbers and codes that mean something else than the name: battery, identifiers, points. */
function withoutFacts(text: string, { identifiers, taught, battery, cycles, points }: Reading): string {
  const facts = [battery, cycles, points].filter((fact) => fact !== null)
  return [...identifiers, ...taught, ...facts].reduce(blank, text)
}

const MAX_MODEL_LETTERS = 2
const isSizeUnit = (word: string) => storageSizes(`128${word}`).length > 0

/** Model words and sizes at the edges of a statement belong to the name beside it. */
function withoutName(text: string, { from, to }: TextRange): TextRange {
  const tokens = tokenize(text.slice(from, to))
  // "Xiaomi 11 Lite 5G NE".
  if (tokens.length === 1 && to - from <= MAX_MODEL_LETTERS) return { from, to: from }
  const isOfName = (at: number) => {
    const token = tokens[at]
    return token !== undefined && (isNumber(token.text) || isModelWord(token.text) || isSizeUnit(token.text))
  }
  // The S of "GTX1660S 줄무늬".
  const isJoined = tokens[0]?.from === 0 && /\d/.test(text[from - 1] ?? '')
  let [first, last] = [isJoined && tokens.length > 1 ? 1 : 0, tokens.length - 1]
  while (first < last && isOfName(first)) first++
  while (last > first && isOfName(last)) last--
  return { from: from + (tokens[first]?.from ?? 0), to: from + (tokens[last]?.to ?? 0) }
}

/** A text of this length is a title; in a longer one the name stands in its first line, sentence or clause. */
const MAX_TITLE_CHARS = 120
/** So short a title is looked up as a whole: its beginning alone may be another device. */
const MAX_SHORT_TITLE_CHARS = 60

const isShortTitle = (text: string) => widthOf(text) <= MAX_SHORT_TITLE_CHARS && !text.includes('\n')

/** Chinese, Japanese and Korean characters say twice as much as letters. */
const widthOf = (text: string) => text.length + (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/g)?.length ?? 0)

/** The text without statements, which may hold the name of a part. */
const withoutStatements = (text: string, reading: Reading) =>
  reading.statements
    // Titles know words for locks, and "Pro Unlock" is no Pro.
    .filter(({ code }) => code !== 'carrier_locked')
    .map((statement) => withoutName(text, statement))
    .reduce(blank, withoutFacts(text, reading))

const SENTENCE_END = /[.!?。！](?=\s|$)|[!?。！？]/
const CLAUSE_END = /[,;:|(–—•，、；：（｜،؛]|\s[-/]\s/

function namesIn(text: string, reading: Reading): readonly string[] {
  const rest = withoutStatements(text, reading)
  const line = rest.trimStart().split('\n')[0] ?? ''
  const sentence = line.split(SENTENCE_END)[0] ?? ''
  const clause = sentence.split(CLAUSE_END)[0] ?? ''
  const statesFault = reading.statements.some(({ assertion }) => assertion === 'present')
  const parts = isShortTitle(text)
    ? [rest, ...(statesFault || namesNoModel(line.slice(clause.length)) ? [clause] : []), ...behindHeading(line)]
    : line.length > MAX_TITLE_CHARS
      ? [sentence, clause, line]
      : [line, sentence, clause, ...behindHeading(line), ...(rest.trim().length > MAX_TITLE_CHARS ? [] : [rest])]
  return [...new Set(parts.map(tidyName))].filter((name) => name !== '')
}

/** So many later clauses are looked up. */
const MAX_LATER_NAMES = 12

/** Clauses with a word of a model: "Back glass cracked, sadly. Honor 10. 35 €". */
function laterNamesIn(text: string, reading: Reading): readonly string[] {
  if (isShortTitle(text)) return []
  const clauses = withoutStatements(text, reading)
    .split('\n')
    .flatMap((line) => line.split(SENTENCE_END))
    .flatMap((sentence) => sentence.split(CLAUSE_END))
    .map(tidyName)
    .filter((clause) => clause.length <= MAX_SHORT_TITLE_CHARS && mayNameModel(clause))
  return [...new Set(clauses)].slice(0, MAX_LATER_NAMES)
}

const MAX_WORDS_WITHOUT_NUMBER = 4

/** "Pixel 3", "iPhone XR" */
function mayNameModel(text: string): boolean {
  const words = tokenize(text)
  const isShort = words.length > 1 && words.length <= MAX_WORDS_WITHOUT_NUMBER
  return (isShort || /\d/.test(text)) && words.some((word) => isModelWord(word.text))
}

/** What stands behind the name may be another device, unless it has no number or no word of a model. */
const namesNoModel = (text: string) => !/\d/.test(text) || !tokenize(text).some((token) => isModelWord(token.text))

const HEADING = /^([^\d:|–—]+?)(?::|\||–|—|\s-)\s+(.+)$/

/** "Shop Smart Plus: Samsung A54": a heading of several words without a number names no device. */
function behindHeading(line: string): string[] {
  const [, heading = '', name = ''] = HEADING.exec(line.trim()) ?? []
  return heading.trim().includes(' ') && /\d/.test(name) ? [name] : []
}

export const tidyName = (text: string) =>
  text
    .replace(/\(\s*\)/g, ' ')
    .replace(/(?:\s*[,;|&/]|\s\+)(?=\s*(?:[,;|+&/]|$))/g, ' ')
    .replace(/\s+/g, ' ')
    // The plus of "Note 10+" belongs to the name.
    .replace(/^[\s,.;:|+&/!-]+|(?:[\s,.;:|&/!-]|\s\+)+$/g, '')
