/** Numbers that name no model: amounts, sizes, years, generations, chips, shares of battery, prices, versions. */
import type { Item } from './items.ts'
import type { Reading } from './reading.ts'
import { GAP } from './tokens.ts'

/** Amounts that people write without a unit. */
const PLAIN_AMOUNTS = new Set([64, 128, 256, 512, 1024])
const AMOUNTS = new Set([
  1, 2, 3, 4, 6, 8, 12, 16, 18, 24, 32, 36, 48, 64, 96, 120, 128, 240, 250, 256, 320, 480, 500, 512, 750, 825, 1000,
  1024, 2048,
])
const FIRST_YEAR = 2005
const LAST_YEAR = 2035
/** These stand close to the number, or they are something else: "13 in good condition", "Xperia 1 V". */
const CLOSE_UNITS = new Set([
  'in',
  'to',
  'go',
  'st',
  'nd',
  'rd',
  'th',
  'eme',
  'ere',
  'na',
  'ta',
  'mo',
  'h',
  'w',
  'an',
  'x',
  'g',
  'pc',
  'b',
])

/** Units of numbers that people write together with a name: "iphone13128gb" aside, "se2nd", "tab5g". */
const NEAR_NAMES = new Set(['gb', 'tb', 'network', 'ordinal', 'generation', 'percent', 'inch'])

export type FigureContext = {
  /** Chips of the M and A kind are read at Apple only: elsewhere M2 and A16 are models. */
  readonly isApple: boolean
  /** The piece names a model, a line or a make. */
  readonly namesModel: (item: Item) => boolean
  /** A number with decimals is part of a name: "Nokia 5.4". */
  readonly isNameDecimal: (text: string) => boolean
}

export function readFigures(reading: Reading, context: FigureContext): void {
  const { items } = reading
  readChips(reading, context)
  readPorts(reading)
  readDates(items)
  readDecimalCommas(reading)
  let numbersOfModel = 0
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item
    if (!item.isNumber || item.isRead) continue
    if (readWithUnit(reading, at, context) || readAlone(reading, at, context, numbersOfModel)) {
      item.isRead = true
    } else numbersOfModel++
  }
  readAmountLists(reading)
}

function readChips({ items, chips }: Reading, { isApple }: FigureContext): void {
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item
    const number = items[at + 1]
    if (!number?.isNumber || number.gap !== GAP.none || item.text.length !== 1) continue
    if (item.gap === GAP.none && at > 0) continue
    const after = items[at + 2]
    if (item.text === 'i' && ['3', '5', '7', '9'].includes(number.text)) {
      chips.push(`i${number.text}`)
      item.isRead = number.isRead = true
      readRest(items, at + 2)
    } else if (isApple && isAppleChip(item.text, number.text)) {
      // "i5-7267U" and "M3-7Y32" go on after the dash.
      if (after?.gap === GAP.none && !after.isSign) continue
      item.isRead = number.isRead = true
      let chip = item.text + number.text
      if (after && after.gap <= GAP.blank && ['pro', 'max', 'ultra'].includes(after.text)) {
        after.isRead = true
        chip += ` ${after.text}`
      } else readRest(items, at + 2)
      chips.push(chip)
    }
  }
}

const isAppleChip = (letter: string, digits: string) =>
  letter === 'm' ? /^[1-9]$/.test(digits) : letter === 'a' && /^(?:[7-9]|1\d|2\d)$/.test(digits)

/** What hangs on a chip's name by a dash. */
function readRest(items: readonly Item[], from: number): void {
  if (items[from]?.gap !== GAP.joint || !items[from]?.isNumber) return
  for (let at = from; at < items.length; at++) {
    const item = items[at] as Item
    if (at > from && item.gap !== GAP.none) return
    item.isRead = true
  }
}

/** "16.6.1" and "27.7.2023": three numbers with dots are a version or a day. */
function readDates(items: readonly Item[]): void {
  for (let at = 2; at < items.length; at++) {
    const last = items[at] as Item
    const middle = items[at - 1] as Item
    const first = items[at - 2] as Item
    if (last.gap !== GAP.joint || middle.gap !== GAP.joint) continue
    if (last.isNumber && middle.isNumber && first.isNumber) last.isRead = middle.isRead = first.isRead = true
  }
}

/** "13,3\"" and "10,2": a size as most of Europe writes it. */
function readDecimalCommas({ items, inches }: Reading): void {
  for (let at = 1; at < items.length; at++) {
    const item = items[at] as Item
    const whole = items[at - 1] as Item
    if (!item.afterComma || item.isRead || whole.isRead || item.text.length !== 1) continue
    const value = Number(`${whole.text}.${item.text}`)
    const next = items[at + 1]
    if (value < 4 || value > 34 || (next?.gap === GAP.none && next.word?.unit !== 'inch')) continue
    inches.push(value)
    whole.isRead = item.isRead = true
    if (next?.word?.unit === 'inch') next.isRead = true
  }
}

const PORTS: Readonly<Record<string, number>> = { two: 2, '2': 2, four: 4, '4': 4 }

/** "Two Thunderbolt 3 ports" tells MacBooks apart. */
function readPorts(reading: Reading): void {
  const { items } = reading
  const at = items.findIndex((item) => item.text === 'thunderbolt')
  if (at < 1) return
  const count = items[at - 1] as Item
  reading.ports = PORTS[count.text] ?? null
  if (reading.ports) count.isRead = true
  for (let i = at; i < items.length && i <= at + 2; i++) {
    const item = items[i] as Item
    if (i === at || item.text === 'ports' || (item.isNumber && item.text.length === 1)) item.isRead = true
  }
}

function readWithUnit(reading: Reading, at: number, context: FigureContext): boolean {
  const { items } = reading
  const item = items[at] as Item
  const value = Number(item.text)
  const before = items[at - 1]
  if (before?.word?.isVersioned && item.gap <= GAP.blank && !context.namesModel(before)) return readVersion(items, at)
  if (before?.isSign && before.text === '$') return true
  const next = items[at + 1]
  if (!next?.word && next?.text !== '%') return readBefore(reading, at, value)
  const unit = next.word?.unit ?? null
  if (!unit || next.gap >= GAP.list) return readBefore(reading, at, value)
  // "GTNeo5240W" is a name, whatever the watts.
  if (item.gap === GAP.none && before && context.namesModel(before) && !NEAR_NAMES.has(unit)) return false
  const isClose = next.gap === GAP.none
  // "A2 Core": a number that belongs to a letter counts nothing that stands apart.
  if (item.gap === GAP.none && !isClose && before?.isNumber === false && !before.isSign) return false
  if (CLOSE_UNITS.has(next.text) && !isClose) {
    if (!(next.text === 'go' && PLAIN_AMOUNTS.has(value)) && !(next.text === 'in' && item.text.includes('.'))) {
      return readBefore(reading, at, value)
    }
  }
  const take = () => {
    next.isRead = true
    return true
  }
  switch (unit) {
    case 'gb':
    case 'tb':
      if (!AMOUNTS.has(value) && !(unit === 'gb' && value >= 8 && value <= 8192)) return false
      if (unit === 'tb' && value > 16) return false
      if (next.text === 'b' && !PLAIN_AMOUNTS.has(value)) return false
      reading.amounts.push({ gigabytes: unit === 'tb' ? value * 1024 : value, isRam: isRam(items, at) })
      return take()
    case 'network':
      if (value >= 2 && value <= 6) {
        reading.network = Math.max(reading.network ?? 0, value)
        return take()
      }
      if (value < 8 || !AMOUNTS.has(value)) return false
      reading.amounts.push({ gigabytes: value, isRam: isRam(items, at) })
      return take()
    case 'inch':
      if (value < 1 || value > 120) return false
      reading.inches.push(value)
      return take()
    case 'mm':
      if (value < 10 || value > 70) return false
      reading.millimeters.push(value)
      return take()
    case 'ordinal': {
      if (value < 1 || value > 20) return false
      reading.generation = value
      const word = items[at + 2]
      if (word?.word?.unit === 'generation' || word?.text === 'edition') word.isRead = true
      return take()
    }
    case 'generation':
      if (value < 1 || value > 20) return false
      // "Snapdragon 8 Gen 2" was read whole; "13 gen" of a phone is no generation of its line.
      if (next.text === 'gen' && items[at + 2]?.isNumber && (items[at + 2] as Item).text.length < 2) return false
      reading.generation = value
      return take()
    case 'percent':
      reading.hasBattery = true
      return take()
    case 'count':
      if (next.text === 'x' && at > 0) return false
      if (value > 1) reading.isLot = true
      return take()
    case 'cycles':
      reading.hasBattery = true
      return take()
    default:
      return take()
  }
}

/** What the word before a number makes of it. */
function readBefore(reading: Reading, at: number, value: number): boolean {
  const { items } = reading
  const before = items[at - 1]
  if (!before || (items[at] as Item).gap > GAP.blank) return false
  if (before.word?.unit === 'generation' && value >= 1 && value <= 20 && !before.isRead) {
    reading.generation = value
    before.isRead = true
    return true
  }
  return false
}

/** "iOS 16.5", "Snapdragon 8 Gen 2". */
function readVersion(items: readonly Item[], at: number): boolean {
  let to = at + 1
  for (; to < items.length; to++) {
    const item = items[to] as Item
    if (item.gap === GAP.none || item.afterComma || (item.isNumber && item.gap === GAP.joint)) item.isRead = true
    else if (item.word?.unit === 'generation' && items[to + 1]?.isNumber && item.gap === GAP.blank) {
      item.isRead = true
      ;(items[to + 1] as Item).isRead = true
      to++
    } else break
  }
  return true
}

function isRam(items: readonly Item[], at: number): boolean {
  const after = items[at + 2]
  const before = items[at - 1]
  return (after?.text === 'ram' && after.gap <= GAP.blank) || (before?.text === 'ram' && before.gap <= GAP.blank)
}

function readAlone(reading: Reading, at: number, context: FigureContext, numbersOfModel: number): boolean {
  const { items } = reading
  const item = items[at] as Item
  const before = items[at - 1]
  const next = items[at + 1]
  const isTiedNumber = (item.gap === GAP.none && at > 0 && !before?.isSign) || (next?.gap === GAP.none && !next.isSign)
  if (item.text.length >= 5 && !item.text.includes('.')) return !isTiedNumber
  const value = Number(item.text)
  if (item.text.includes('.')) {
    if (context.isNameDecimal(item.text)) return false
    if (isTiedNumber || value < 4 || value > 34) return !isTiedNumber
    reading.inches.push(value)
    return true
  }
  if (isTiedNumber) {
    if (next?.text === 'e' && value >= 100) {
      next.isRead = true
      return true
    }
    const isTera = next?.text === 't' && next.gap === GAP.none && (value === 1 || value === 2) && numbersOfModel > 0
    if (!isTera) return false
    next.isRead = true
    reading.amounts.push({ gigabytes: value * 1024, isRam: false })
    return true
  }
  if (item.text.length === 4 && value >= FIRST_YEAR && value <= LAST_YEAR) return readYear(reading, at, value, context)
  if (PLAIN_AMOUNTS.has(value) || (value === 32 && numbersOfModel > 0)) {
    reading.amounts.push({ gigabytes: value, isRam: false })
    return true
  }
  // "10/10" is praise.
  if (numbersOfModel > 0 && next?.isNumber && next.text === '10' && value >= 7 && value <= 10) {
    next.isRead = true
    return true
  }
  return false
}

/** A year counts as the model's where it stands beside its name, or begins or ends what is said of it. */
function readYear(reading: Reading, at: number, value: number, context: FigureContext): boolean {
  const { items } = reading
  const before = items[at - 1]
  const next = items[at + 1]
  if (before?.word?.partOfYear) {
    reading.partOfYear = before.word.partOfYear
    before.isRead = true
  }
  const isFirst = at === 0 && next !== undefined && context.namesModel(next)
  if (isFirst || isAfterName(items, at, context) || (next && context.namesModel(next))) reading.years.push(value)
  else reading.otherYears.push(value)
  return true
}

const TRANSPARENT = new Set<string | null>(['color', 'lock', 'carrier', 'connectivity', 'category'])

/** Only numbers and what else is said of the device stand between the name and this. */
function isAfterName(items: readonly Item[], at: number, context: FigureContext): boolean {
  for (let back = at - 1; back >= 0; back--) {
    const item = items[back] as Item
    if (context.namesModel(item) || item.text === '+') return true
    if (!item.isRead && !item.isNumber && !TRANSPARENT.has(item.word?.role ?? null)) return isTied(items, back)
  }
  return false
}

/** The "s" of "6s", the "e" of "16e". */
const isTied = (items: readonly Item[], at: number) =>
  (items[at] as Item).text.length <= 2 && (items[at] as Item).gap === GAP.none && items[at - 1]?.isNumber === true

/** "64/128/256GB": the amounts before the one that has the unit. */
function readAmountLists(reading: Reading): void {
  const { items } = reading
  for (let at = items.length - 2; at >= 0; at--) {
    const item = items[at] as Item
    // The 6 of "J6+ 64GB" belongs to its letter.
    if (!item.isNumber || item.isRead || (item.gap === GAP.none && at > 0)) continue
    const next = items[at + 1] as Item
    const listed = next.isNumber && next.isRead && next.gap === GAP.list
    const added = next.isSign && (next.text === '+' || next.text === '&') && isListed(items[at + 2])
    const value = Number(item.text)
    if (!(listed || added) || !AMOUNTS.has(value) || reading.amounts.length === 0) continue
    // "iPhone 6/64GB": the number of the model is no amount.
    if (value < 8 ? !isMemory(value, next, items[at + 2]) : isFirstNumber(items, at)) continue
    reading.amounts.push({ gigabytes: value, isRam: false })
    item.isRead = true
  }
}

const isListed = (item: Item | undefined) => item?.isNumber === true && item.isRead && item.gap <= GAP.blank

const isMemory = (value: number, next: Item, afterNext: Item | undefined) =>
  [3, 4, 6].includes(value) && Number((next.isNumber ? next : afterNext)?.text) >= 32

function isFirstNumber(items: readonly Item[], at: number): boolean {
  for (let i = 0; i < at; i++) if ((items[i] as Item).isNumber) return false
  return true
}
