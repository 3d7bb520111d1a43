/** Reads one row of a list of devices. What cannot be read becomes a question about the row; no row is rejected here. */
import cellWords from '../../data/aliases/cell-words.json' with { type: 'json' }
import { type DescribedDevice, describeDevice } from '../appraisal/described-device.ts'
import { defectOfWord, gradeOfWord, isAssumedGrade } from '../appraisal/sheet-words.ts'
import { isDefectGrade } from '../catalog/grade.ts'
import { parseCondition } from '../catalog/grade-words.ts'
import type { AppraisalRequestWire } from '../contract/appraisal-request.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import { DEFECTS } from '../contract/device-kinds.ts'
import type { ListColumn, RowQuestionCode } from '../contract/device-list-columns.ts'
import { isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier, splitDualSim } from '../identifier/identifier-parser.ts'
import { foldText } from '../lib/fold-text.ts'
import { runToEnd, type TimeSliced } from '../lib/time-sliced.ts'
import { meaningOfSign, parseAmount, type SignMeaning } from '../tables/amount.ts'
import { isNothing } from '../tables/fields.ts'
import { readSizePair, withCommonUnit } from '../tables/size-cell.ts'
import { identifierIn } from '../text/facts.ts'
import { type Reading, readTextInSlices } from '../text/reader.ts'
import { NO_TAUGHT_WORDS, readTaughtWords, type TaughtWords } from './taught-words.ts'

/** Something in a row that a person has to decide; `words` are those of the list. */
export type RowQuestion = {
  readonly code: RowQuestionCode
  readonly column: ListColumn
  readonly words: string
}

export type AskingPrice = {
  /** In units of the currency. */
  readonly value: number
  /** Null if the row names none, or a sign that several currencies share. */
  readonly currency: string | null
  /** The currencies that share its sign, such as `$`. */
  readonly sharedBy?: readonly string[]
}

export type DeviceListRow = {
  /** Null if the row cannot be appraised before its questions are answered. */
  readonly request: Partial<AppraisalRequestWire> | null
  readonly questions: readonly RowQuestion[]
  readonly quantity: number
  readonly askingPrice: AskingPrice | null
}

const ATTRIBUTES = ['storage', 'color', 'ram', 'carrier'] as const
/** Limits of the API. */
const MAX_TEXT_CHARS = 4_000
const MAX_VALUE_CHARS = 100
const MAX_QUANTITY = 100_000
/** Lower figures are not a battery's health. */
const MIN_BATTERY_PERCENT = 40

/** `ownCellOf` returns the trimmed cell of a column; empty if there is none. */
export function readDeviceListRow(ownCellOf: (column: ListColumn) => string, words?: TaughtWords): DeviceListRow {
  return runToEnd(readDeviceListRowInSlices(ownCellOf, words))
}

/** Yields within long cells. */
export function* readDeviceListRowInSlices(
  ownCellOf: (column: ListColumn) => string,
  words: TaughtWords = NO_TAUGHT_WORDS,
): TimeSliced<DeviceListRow> {
  const { cellOf, ...taught } = yield* readTaughtWords(ownCellOf, words)
  const questions: RowQuestion[] = []
  const ask = (code: RowQuestionCode, column: ListColumn, words: string) => {
    if (words !== '' || code === 'no_device') questions.push({ code, column, words: words.slice(0, MAX_VALUE_CHARS) })
  }
  const cell = (column: ListColumn) => (isNothing(cellOf(column)) ? '' : cellOf(column))

  const title = joinMakeAndText(cell('make'), cell('text'))
  const [identifier = identifierIn(title), secondIdentifier] = readIdentifiers(cell, ask)
  const grade = yield* readGrade(cell('condition'))
  // As in a price list, a column of networks says which lock a device has where no other column does.
  const network = statesLock(cell('carrier')) ? cell('carrier') : ''
  const lock = yield* readLock(cell('lock') || network)
  const inDefects = yield* readStatements(cell('defects'))
  const inNotes = yield* readStatements(cell('notes'))
  const inBattery = readBattery(cell('battery'), ask)
  const statements = [...grade.words, ...inDefects.words, ...inNotes.words, ...lock.words, ...inBattery]
  const codes = [...new Set([...grade.codes, ...inDefects.codes, ...inNotes.codes, ...taught.defects])]
  const namesFault =
    codes.length > 0 ||
    grade.defectiveWord === '' ||
    (yield* describeInSlices([title, statements.join(', ')].join('\n'))).findings.some(isDefect)
  // Without a stated fault the device counts as one that does not work.
  if (grade.defectiveWord !== '' && !namesFault) statements.push(grade.defectiveWord)
  ask('fault_not_stated', 'condition', namesFault ? '' : grade.defectiveWord)
  ask('unknown_grade', 'condition', grade.unread.join(', '))
  ask('unread_words', 'defects', inDefects.unread.join(', '))
  ask('unread_words', 'notes', inNotes.unread.join(', '))
  ask('unknown_lock', 'lock', lock.unread)
  const quantity = readQuantity(cell('quantity'), ask)
  const askingPrice = readAskingPrice(cell, ask)

  const namesDevice = title !== '' || identifier !== null || cell('variant_id') !== '' || cell('device_id') !== ''
  if (!namesDevice) {
    ask('no_device', 'text', '')
    return { request: null, questions, quantity, askingPrice }
  }
  const pair = readSizePair(cell('storage'))
  const attributes = ATTRIBUTES.flatMap((name) => {
    const value = name === 'storage' && pair ? pair.storage : cell(name) || (name === 'ram' && pair ? pair.ram : '')
    return value === '' ? [] : [[name, withStorageUnit(name, value).slice(0, MAX_VALUE_CHARS)] as const]
  })
  // The name stands alone in the first line.
  const text = [title, [...new Set(statements)].join(', ')].filter((part) => part !== '').join('\n')
  const request: Partial<AppraisalRequestWire> = {}
  if (cell('reference') !== '') request.reference = cell('reference').slice(0, MAX_VALUE_CHARS)
  if (identifier !== null) request.identifier = identifier
  if (secondIdentifier !== undefined) request.second_identifier = secondIdentifier
  if (cell('variant_id') !== '') request.variant_id = cell('variant_id')
  if (cell('device_id') !== '') request.device_id = cell('device_id')
  if (text !== '') request.text = text.slice(0, MAX_TEXT_CHARS)
  if (attributes.length > 0) request.attributes = Object.fromEntries(attributes)
  const condition = worse(grade.condition, taught.condition)
  if (condition) request.condition = condition
  // "none" states that there are no defects; an empty cell states nothing.
  if (codes.length > 0 || (inDefects.statesNone && statements.length === 0)) request.defects = codes
  if (lock.isLocked !== null) request.lock = lock.isLocked ? 'locked' : 'unlocked'
  return { request, questions, quantity, askingPrice }
}

function* describeInSlices(text: string): TimeSliced<DescribedDevice> {
  return describeDevice(text, yield* readTextInSlices(text))
}

const worse = (a: Condition | null, b: Condition | null) =>
  CONDITIONS.findLast((condition) => condition === a || condition === b) ?? null

const isDefect = ({ field }: { readonly field: string }) => field === 'defects'

type Ask = (code: RowQuestionCode, column: ListColumn, words: string) => void

/** Does not repeat a make that the text already starts with. */
function joinMakeAndText(make: string, text: string): string {
  if (make === '' || text.toLowerCase().startsWith(make.toLowerCase())) return text
  return `${make} ${text}`.trim()
}

/** In a storage or memory column, "128" means gigabytes. */
function withStorageUnit(name: string, value: string): string {
  if (name !== 'storage' && name !== 'ram') return value
  return /^\d+$/.test(value) ? `${value}GB` : withCommonUnit(value)
}

/** A serial number has digits; words such as "see photo" have none. */
const isIdentifier = (text: string) => /\d/.test(text) && !isInvalidIdentifier(parseIdentifier(text))

/** The digits of "3.56938035643809E+14"; empty if the spreadsheet rounded them; undefined if it is no such number. */
function digitsOfFloat(text: string): string | undefined {
  const [, first = '', decimals = '', exponent] = /^(\d)(?:[.,](\d+))?e\+?(\d+)$/i.exec(text.trim()) ?? []
  if (exponent === undefined) return undefined
  return decimals.length === Number(exponent) ? first + decimals : ''
}

/**
 * The identifier of the cell, else of the column with serial numbers; both IMEIs of a phone with two SIM cards. Of other
 * identifiers the first counts.
 */
export function readIdentifiers(cell: (column: ListColumn) => string, ask: Ask): readonly string[] {
  const column = cell('identifier') === '' ? 'serial' : 'identifier'
  const whole = cell(column)
  if (whole === '') return []
  const digits = digitsOfFloat(whole)
  if (digits !== undefined) {
    if (isIdentifier(digits)) return [digits]
    ask('unreadable_identifier', column, whole)
    return []
  }
  if (isIdentifier(whole)) return [whole]
  const dualSim = splitDualSim(whole)
  if (dualSim) return dualSim
  const parts = whole
    .split(/[/,;|&+\n]|\s{2,}|(?<=\d{15})\s+|\s(?:und|and|et|y|e|i|ir|và)\s/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const [first, ...others] = [...new Set(parts.filter(isIdentifier))]
  ask('several_identifiers', column, others.join(', '))
  ask('unreadable_identifier', column, parts.filter((part) => !isIdentifier(part)).join(', '))
  return first === undefined ? [] : [first]
}

type ReadGrade = {
  readonly condition: Condition | null
  /** The word by which the row says that the device is defective; empty if it does not. */
  readonly defectiveWord: string
  /** Defects that the cell names beside or instead of a grade. */
  readonly codes: readonly DefectCode[]
  /** Statements for the text of the request. */
  readonly words: readonly string[]
  readonly unread: readonly string[]
}

/** A grade, or several words such as "B, Kratzer"; of two grades the worse counts. */
function* readGrade(cell: string): TimeSliced<ReadGrade> {
  if (cell === '' || isAssumedGrade(cell))
    return { condition: null, defectiveWord: '', codes: [], words: [], unread: [] }
  const parts = gradeOf(cell) === undefined ? splitWords(cell) : [cell]
  const grades = new Set(parts.map(gradeOf))
  const statements: Statements[] = []
  for (const part of parts) if (gradeOf(part) === undefined) statements.push(yield* readStatements(part))
  // A cell for the grade that states neither a grade nor a fault is an unknown grade.
  const statesNothing =
    statements.length === parts.length &&
    statements.every(({ codes, words, isUnderstood }) => codes.length + words.length === 0 && !isUnderstood)
  return {
    condition: CONDITIONS.findLast((condition) => grades.has(condition)) ?? null,
    defectiveWord: parts.find((part) => gradeOf(part) === 'defective') ?? '',
    codes: statements.flatMap(({ codes }) => codes),
    words: statements.flatMap(({ words }) => words),
    unread: statesNothing ? [cell] : statements.flatMap(({ unread }) => unread),
  }
}

/** The grade that a cell means, else its words; equal for cells that mean the same. */
export function readGradeWords(cell: string): string {
  const { condition, defectiveWord, codes, words, unread } = runToEnd(readGrade(isNothing(cell) ? '' : cell))
  const grade = condition ?? (defectiveWord === '' ? '' : 'defective')
  return [grade, ...codes, ...words, ...unread].map(foldText).join(', ')
}

type GradeWord = Condition | 'defective' | 'none'

/** Accepts every grade name of price imports; new devices count as Excellent. "Used" is no grade. */
function gradeOf(word: string): GradeWord | undefined {
  const grade = parseCondition(word)?.grade ?? gradeOfWord(word)
  if (grade === undefined || grade === 'locked') return undefined
  if (grade === 'New') return 'Excellent'
  if (grade === 'Ungraded') return 'none'
  return CONDITIONS.find((condition) => condition === grade) ?? (isDefectGrade(grade) ? 'defective' : undefined)
}

const splitWords = (text: string) =>
  text
    .split(/[;,|/+()\n]|\s[-–—]\s|\.\s/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const normalizeWord = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()
const DEFECT_BY_WORD = new Map<string, DefectCode>(
  DEFECTS.flatMap(({ code, name }) => [
    [normalizeWord(code), code],
    [normalizeWord(name), code],
  ]),
)
const NO_DEFECT_WORDS = new Set(cellWords.noDefect)

type Statements = {
  /** Defects by their codes or names, in any language. */
  readonly codes: DefectCode[]
  /** What the appraisal reads from the text of a request. */
  readonly words: readonly string[]
  /** Words that change the price but fit no field. */
  readonly unread: readonly string[]
  /** The cell says that there is nothing. */
  readonly statesNone: boolean
  /** It says something, though nothing that a field holds: wear, or that a fault is not there. */
  readonly isUnderstood: boolean
}

/** Codes, names or a seller's words such as "screen is cracked", separated by punctuation. */
function* readStatements(text: string): TimeSliced<Statements> {
  const codes: DefectCode[] = []
  const described: string[] = []
  let statesNone = false
  for (const part of splitWords(text)) {
    const word = normalizeWord(part)
    const code = DEFECT_BY_WORD.get(word) ?? (defectOfWord(part) as DefectCode | undefined)
    if (code) codes.push(code)
    else if (NO_DEFECT_WORDS.has(word)) statesNone = true
    else described.push(part)
  }
  const { unreadWords, facts, reading } = yield* describeInSlices(described.join(', '))
  const unread = unreadWords.map((statement) => statement.words)
  const words = partsThatState(described, reading)
  const isUnderstood = statesNone || facts.length + reading.denials.length > 0
  return { codes: [...new Set(codes)], words, unread, statesNone, isUnderstood }
}

/** The parts, joined by commas for the reading, in which something stands that may change the price: in the seller's own words. */
function partsThatState(parts: readonly string[], reading: Reading): string[] {
  const { statements, unclear, barred, battery, points, isUnlocked, grades, wear, taught } = reading
  const present = statements.filter(({ assertion }) => assertion === 'present')
  const facts = [barred, battery, points, isUnlocked].filter((fact) => fact !== null)
  const stated = [...present, ...unclear, ...grades, ...wear, ...taught, ...facts]
  let end = 0
  return parts.filter((part) => {
    const from = end
    end += part.length + ', '.length
    return stated.some((words) => words.from < from + part.length && words.to > from)
  })
}

const CARRIERS = new Set(cellWords.carriers.map(foldText))
const isCarrier = (cell: string) => CARRIERS.has(foldText(cell).trim())

const UNLOCKED = new Set(cellWords.unlocked.map(foldText))
const LOCKED = new Set(cellWords.locked.map(foldText))
/** "Gesperrt" may also mean barred: it is a question. */
const UNCLEAR_LOCKS = new Set(cellWords.unclearLocks.map(foldText))

type ReadLock = { readonly isLocked: boolean | null; readonly words: readonly string[]; readonly unread: string }

/** Whether the cell of a network names a carrier, or says that there is none. */
function statesLock(cell: string): boolean {
  const word = foldText(cell).trim()
  return word !== '' && (LOCKED.has(word) || UNLOCKED.has(word) || isCarrier(cell))
}

function* readLock(cell: string): TimeSliced<ReadLock> {
  const word = foldText(cell).trim()
  if (word === '') return { isLocked: null, words: [], unread: '' }
  if (LOCKED.has(word) || isCarrier(cell)) return { isLocked: true, words: [], unread: '' }
  if (UNLOCKED.has(word)) return { isLocked: false, words: [], unread: '' }
  if (UNCLEAR_LOCKS.has(word)) return { isLocked: null, words: [cell], unread: cell }
  const { findings, unreadWords } = yield* describeInSlices(cell)
  const stated = findings.find(({ field }) => field === 'lock')
  // "iCloud locked" is a defect.
  const words = findings.filter(isDefect).map((finding) => finding.words)
  if (stated?.field === 'lock') return { isLocked: stated.lock === 'locked', words, unread: '' }
  if (words.length > 0) return { isLocked: null, words, unread: '' }
  return { isLocked: null, words: unreadWords.map((statement) => statement.words), unread: cell }
}

/** "87", "87 %", "Akku 87" or, from a spreadsheet, 0.87, as the text of a request states it. */
function readBattery(cell: string, ask: Ask): string[] {
  if (cell === '') return []
  const number = Number(/^(?:\p{L}+[.:]? ?){0,2}(\d{1,3}(?:[.,]\d+)?) ?%?$/u.exec(cell)?.[1]?.replace(',', '.'))
  const percent = number > 0 && number <= 1 && !cell.includes('%') ? number * 100 : number
  if (percent >= MIN_BATTERY_PERCENT && percent <= 100) return [`battery ${Math.floor(percent)} %`]
  // "schwach" says nothing without its column.
  const { findings } = describeDevice(`battery ${cell}`)
  if (findings.length > 0) return findings.map(({ words }) => words)
  ask('unreadable_number', 'battery', cell)
  return []
}

export function readQuantity(cell: string, ask: Ask): number {
  const number = Number(/^(\d+)(?:[.,]0+)?(?:\s*\p{L}+\.?)?$/u.exec(cell)?.[1])
  if (number >= 1 && number <= MAX_QUANTITY) return number
  ask('unreadable_number', 'quantity', cell)
  return 1
}

export function readAskingPrice(cell: (column: ListColumn) => string, ask: Ask): AskingPrice | null {
  const text = cell('asking_price')
  if (text === '') return null
  const amount = parseAmount(text)
  if ('problem' in amount || amount.isRange || amount.value < 0) {
    ask('unreadable_number', 'asking_price', text)
    return null
  }
  const code = cell('currency').trim().toUpperCase()
  const stated: SignMeaning = meaningOfSign(code.toLowerCase()) ?? { currency: /^[A-Z]{3}$/.test(code) ? code : null }
  const sign = amount.currency === null && !amount.sharedBy ? stated : amount
  // "$455" with "CAD" in the column of currencies.
  const currency = sign.sharedBy ? (stated.sharedBy ? null : stated.currency) : sign.currency
  return { value: amount.value, currency, ...(currency === null && sign.sharedBy && { sharedBy: sign.sharedBy }) }
}
