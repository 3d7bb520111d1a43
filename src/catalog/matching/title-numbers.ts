/** Recognises numbers that are not model numbers: amounts, sizes, years, generations, chips, battery health, prices, versions. */

import { GRAPHICS_SERIES, readChips, readGraphics, readPorts, readProcessors } from './chips.ts'
import { isRam, MEMORY_SIZES, readAmountLists, SIZES_WITHOUT_UNIT, STORAGE_SIZES } from './memory-amounts.ts'
import type { NumberContext, TitleFacts } from './title-facts.ts'
import { GAP, isLatinOrDigit, type Token } from './tokens.ts'
import { consumeDates, FIRST_YEAR, LAST_YEAR, readYear } from './years.ts'

/** Units only if joined to the number, otherwise ordinary words: "13 in good condition", "Xperia 1 V". */
const UNITS_ALWAYS_JOINED = new Set('in to go st nd rd th eme ere na ta mo h w an x g pc b'.split(' '))

/** Units of numbers that may be joined to a name: "se2nd", "tab5g"; but not "iphone13128gb". */
const UNITS_JOINED_TO_NAMES = new Set('gb tb storage ram network ordinal generation percent inch'.split(' '))

export function readNumbers(title: TitleFacts, context: NumberContext): void {
  const { tokens } = title
  readChips(title, context)
  readProcessors(title)
  readGraphics(title)
  readPorts(title)
  consumeDates(tokens)
  readDecimalCommas(title)
  readFocalLengths(tokens, context.hasLenses)
  if (context.hasLenses) readApertures(tokens)
  let modelNumberCount = 0
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (!token.isNumber || token.isConsumed) continue
    if (readWithUnit(title, at, context) || readWithoutUnit(title, at, context, modelNumberCount)) {
      token.isConsumed = true
    } else modelNumberCount++
  }
  readAmountLists(title)
}

/** "13,3\"" and "10,2": sizes with a decimal comma. */
function readDecimalCommas({ tokens, inches }: TitleFacts): void {
  for (let at = 1; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const whole = tokens[at - 1] as Token
    if (!token.afterComma || token.isConsumed || whole.isConsumed || token.text.length !== 1) continue
    const value = Number(`${whole.text}.${token.text}`)
    const next = tokens[at + 1]
    if (value < 4 || value > 34 || (next?.gap === GAP.none && next.word?.unit !== 'inch')) continue
    inches.push(value)
    whole.isConsumed = token.isConsumed = true
    if (next?.word?.unit === 'inch') next.isConsumed = true
  }
}

const LENS_WORDS = new Set(
  'kit lens lenses objektiv objectif objetivo obiettivo obiektyw objektyvas f is stm oss vr'.split(' '),
)
const COMMON_ZOOMS = new Set(
  '15-45 16-50 16-55 18-45 18-55 18-105 18-135 18-150 24-50 24-70 24-105 24-120 28-60 28-70 55-210 70-200 70-300'.split(
    ' ',
  ),
)
const MIN_FOCAL_LENGTH = 8
const isBetween = (value: number, from: number, to: number) => value >= from && value < to

/** "18-45mm", "18-45 kit", and "18-45" of a make of cameras: the focal length of a lens that comes with one. */
function readFocalLengths(tokens: readonly Token[], hasLenses: boolean): void {
  for (let at = 1; at < tokens.length; at++) {
    const to = tokens[at] as Token
    if (!to.isNumber || to.gap !== GAP.joint) continue
    const from = tokens[at - 1] as Token
    const unit = tokens[at + 1]
    if (!from.isNumber) continue
    const isIncludedLens =
      (hasLenses || LENS_WORDS.has(unit?.text ?? '') || COMMON_ZOOMS.has(`${from.text}-${to.text}`)) &&
      from.gap >= GAP.blank &&
      isBetween(Number(from.text), MIN_FOCAL_LENGTH, Number(to.text))
    if (unit?.word?.unit === 'mm') unit.isConsumed = true
    else if (!isIncludedLens) continue
    from.isConsumed = to.isConsumed = true
    const mount = tokens[at - 2]
    if (hasLenses && mount && LENS_MOUNTS.has(mount.text)) mount.isConsumed = true
  }
}

/** The "35 f/2" of "X-T3 + 35 f/2" is a lens that comes with the camera. */
function readApertures(tokens: readonly Token[]): void {
  for (let at = 1; at < tokens.length; at++) {
    const letter = tokens[at - 1] as Token
    const number = tokens[at] as Token
    if (letter.text !== 'f' || letter.gap === GAP.none || !number.isNumber) continue
    if (number.gap !== GAP.none && number.gap !== GAP.list) continue
    letter.isConsumed = number.isConsumed = true
    const focalLength = tokens[at - 2]
    if (focalLength?.isNumber && Number(focalLength.text) >= MIN_FOCAL_LENGTH) focalLength.isConsumed = true
  }
}

/** "XC 15-45", "RF 24-105": the mount of the lens. */
const LENS_MOUNTS = new Set('xc xf rf ef efs fe e z dx nikkor'.split(' '))

const BATTERY_WORDS =
  /^(?:batter|bater|ba[tj]erij|akku|accu|배터리|베터리|밧데리|성능$|효율$|pin$|батаре|аккум|акб|(?:ال)?بطارية|แบต|סוללה|बैटरी|电池|電池|バッテリー)/

/** "배터리100 아이폰13", "battery 87": battery health without a percent sign. */
const isBatteryHealth = (before: Token | undefined, { gap }: Token, value: number, next: Token | undefined): boolean =>
  before !== undefined &&
  gap <= GAP.blank &&
  isBetween(value, 50, 101) &&
  BATTERY_WORDS.test(before.text) &&
  !(next?.word?.unit && next.gap <= GAP.blank)

function readWithUnit(title: TitleFacts, at: number, context: NumberContext): boolean {
  const { tokens } = title
  const token = tokens[at] as Token
  const value = Number(token.text)
  const before = tokens[at - 1]
  if (before?.word?.precedesVersion && token.gap <= GAP.blank && !context.isModelToken(before))
    return readVersion(tokens, at)
  if (before?.isSymbol && before.text === '$') return true
  const next = tokens[at + 1]
  // "battery 61++" is a battery of a laptop.
  const isPartNumber = next?.text === '+' && tokens[at + 2]?.text === '+'
  if (!isPartNumber && isBatteryHealth(before, token, value, next)) {
    title.hasBattery = true
    return true
  }
  if (readOrdinal(title, at, value)) return true
  if (!next?.word && next?.text !== '%') return readWithUnitBefore(title, at, value)
  const unit = next.word?.unit ?? null
  if (!unit || next.gap >= GAP.list) return readWithUnitBefore(title, at, value)
  // "GTNeo5240W" is a name, even though it ends with watts.
  if (token.gap === GAP.none && before && context.isModelToken(before) && !UNITS_JOINED_TO_NAMES.has(unit)) return false
  const isUnitJoined = next.gap === GAP.none
  // "A2 Core": a number joined to a letter has no detached unit.
  if (token.gap === GAP.none && !isUnitJoined && before?.isNumber === false && !before.isSymbol) return false
  const isDetachedUnit =
    (next.text === 'go' && SIZES_WITHOUT_UNIT.has(value)) || (next.text === 'in' && token.text.includes('.'))
  if (UNITS_ALWAYS_JOINED.has(next.text) && !isUnitJoined && !isDetachedUnit)
    return readWithUnitBefore(title, at, value)
  const consumeUnit = () => {
    next.isConsumed = true
    return true
  }
  switch (unit) {
    case 'gb':
    case 'tb':
      // "RTX 3080 Gigabyte": the maker of the card.
      if (GRAPHICS_SERIES.includes(before?.text ?? '')) return false
      if (!MEMORY_SIZES.has(value) && !(unit === 'gb' && value >= 8 && value <= 8192)) return false
      if (unit === 'tb' && value > 16) return false
      if (next.text === 'b' && !SIZES_WITHOUT_UNIT.has(value)) return false
      title.memoryAmounts.push({ gigabytes: unit === 'tb' ? value * 1024 : value, isRam: isRam(tokens, at) })
      return consumeUnit()
    case 'network':
      if (value >= 2 && value <= 6) {
        title.networkGeneration = Math.max(title.networkGeneration ?? 0, value)
        return consumeUnit()
      }
      if (value < 8 || !MEMORY_SIZES.has(value)) return false
      title.memoryAmounts.push({ gigabytes: value, isRam: isRam(tokens, at) })
      return consumeUnit()
    case 'storage':
      if (!STORAGE_SIZES.has(value)) return false
      title.memoryAmounts.push({ gigabytes: value === 1000 ? 1024 : value, isRam: false })
      return consumeUnit()
    case 'ram':
      if (!isUnitJoined || !MEMORY_SIZES.has(value) || value < 4) return false
      title.memoryAmounts.push({ gigabytes: value, isRam: true })
      return consumeUnit()
    case 'inch':
      if (value < 1 || value > 120) return false
      title.inches.push(value)
      return consumeUnit()
    case 'mm':
      if (value < 10 || value > 70) return false
      title.millimeters.push(value)
      return consumeUnit()
    case 'ordinal': {
      if (value < 1 || value > 20) return false
      title.generation = value
      const afterUnit = tokens[at + 2]
      if (afterUnit?.word?.unit === 'generation' || afterUnit?.text === 'edition') afterUnit.isConsumed = true
      return consumeUnit()
    }
    case 'generation':
      if (value < 1 || value > 20) return false
      // "Snapdragon 8 Gen 2" was consumed before; "13 gen" of a phone is not a generation of its line.
      if (next.text === 'gen' && tokens[at + 2]?.isNumber && (tokens[at + 2] as Token).text.length < 2) return false
      title.generation = value
      return consumeUnit()
    case 'percent':
      title.hasBattery = true
      return consumeUnit()
    case 'count':
      // "듀얼센스 2개", "2 Stück Controller", "3x batteries": several accessories.
      if (isExtra(tokens[at + 2])) return consumeUnit()
      if (next.text === 'x' && at > 0) return false
      if (value > 1 && !isExtra(before)) title.isLot = true
      return consumeUnit()
    case 'battery':
      if (next.text === 'mah' && value >= MIN_PHONE_MAH) title.batteryMah = value
      return consumeUnit()
    case 'cycles':
      title.hasBattery = true
      return consumeUnit()
    default:
      // "XPS 13 9310 Core i7": no processor has thousands of cores.
      if (unit === 'cores' && value > MAX_CORES) return false
      return context.isNameNumber(token.text + next.text) ? false : consumeUnit()
  }
}

const MAX_ORDINAL_LETTERS = 3
const MAX_GENERATION = 20

/** "9e generatie", "2ª generación", "10ème génération", "3. generace": any short ending before a word for generation. */
function readOrdinal(title: TitleFacts, at: number, value: number): boolean {
  const { tokens } = title
  const suffix = tokens[at + 1]
  const generation = tokens[at + 2]
  if (value < 1 || value > MAX_GENERATION || suffix?.gap !== GAP.none || suffix.isSymbol) return false
  // "ThinkPad T14s Gen 1": the generation is the number after it.
  if ((tokens[at] as Token).gap === GAP.none && tokens[at - 1]?.text.length === 1) return false
  if (suffix.text.length > MAX_ORDINAL_LETTERS) return false
  if (generation?.word?.unit !== 'generation' || generation.gap > GAP.blank) return false
  title.generation = value
  suffix.isConsumed = generation.isConsumed = true
  return true
}

const isExtra = (token: Token | undefined) => token?.word?.role === 'accessory' || token?.word?.role === 'weak_part'

/** Interprets a number by the word before it. */
function readWithUnitBefore(title: TitleFacts, at: number, value: number): boolean {
  const { tokens } = title
  const before = tokens[at - 1]
  if (!before || (tokens[at] as Token).gap > GAP.blank) return false
  const next = tokens[at + 1]
  // "Gen 6s" is another model.
  if (next?.gap === GAP.none && isLatinOrDigit(next) && next.text.length === 1) return false
  if (isCountAtEnd(tokens, at, value)) {
    title.isLot = true
    before.isConsumed = true
    return true
  }
  if (before.word?.unit === 'generation' && value >= 1 && value <= 20 && !before.isConsumed) {
    title.generation = value
    before.isConsumed = true
    return true
  }
  if (before.word?.unit === 'ram' && value >= 4 && MEMORY_SIZES.has(value)) {
    title.memoryAmounts.push({ gigabytes: value, isRam: true })
    return true
  }
  if (before.word?.unit === 'storage' && STORAGE_SIZES.has(value)) {
    title.memoryAmounts.push({ gigabytes: value, isRam: false })
    return true
  }
  return false
}

const MAX_COUNT = 100

/** "iPhone 11 64GB x3": several devices. After a word, as in "Poco X3", it is a model. */
function isCountAtEnd(tokens: readonly Token[], at: number, value: number): boolean {
  const sign = tokens[at - 1]
  const before = tokens[at - 2]
  if (sign?.text !== 'x' || sign.gap < GAP.blank || at !== tokens.length - 1) return false
  return value > 1 && value < MAX_COUNT && before?.isConsumed === true
}

/** "12k clicks"; below this, "4K" and "8K" are resolutions. */
const MIN_THOUSANDS = 9
const MAX_CORES = 128
const MIN_PHONE_MAH = 1000
const CARD_SUFFIXES = new Set(['ti', 'super'])

/** "iOS 16.5", "Snapdragon 8 Gen 2". */
function readVersion(tokens: readonly Token[], at: number): boolean {
  let to = at + 1
  for (; to < tokens.length; to++) {
    const token = tokens[to] as Token
    if (token.gap === GAP.none || token.afterComma || (token.isNumber && token.gap === GAP.joint))
      token.isConsumed = true
    // "RTX 3050 Ti" in a laptop.
    else if (to === at + 1 && CARD_SUFFIXES.has(token.text) && token.gap <= GAP.blank) token.isConsumed = true
    else if (token.word?.unit === 'generation' && tokens[to + 1]?.isNumber && token.gap === GAP.blank) {
      token.isConsumed = true
      ;(tokens[to + 1] as Token).isConsumed = true
      to++
    } else break
  }
  return true
}

function readWithoutUnit(title: TitleFacts, at: number, context: NumberContext, modelNumberCount: number): boolean {
  const { tokens } = title
  const token = tokens[at] as Token
  const before = tokens[at - 1]
  const next = tokens[at + 1]
  const isJoined =
    (token.gap === GAP.none && at > 0 && before !== undefined && isLatinOrDigit(before)) ||
    (next?.gap === GAP.none && isLatinOrDigit(next))
  if (token.text.length >= 5 && !token.text.includes('.')) return !isJoined
  const value = Number(token.text)
  if (token.text.includes('.')) {
    if (context.isNameNumber(token.text)) return false
    if (isJoined || value < 4 || value > 34) return !isJoined
    title.inches.push(value)
    return true
  }
  if (isJoined) {
    if (next?.text === 'e' && value >= 100) {
      next.isConsumed = true
      return true
    }
    // "13pro256", "2020macbook": joined to a whole word of the name.
    const endsName = token.gap === GAP.none && isNameWord(before) && !(next?.gap === GAP.none && isLatinOrDigit(next))
    // "XS256": a name without a number.
    const isTenth = context.isApple && token.gap === GAP.none && TENTH_IPHONES.has(before?.text ?? '')
    if ((isTenth || (endsName && modelNumberCount > 0)) && SIZES_WITHOUT_UNIT.has(value)) {
      title.memoryAmounts.push({ gigabytes: value, isRam: false })
      return true
    }
    if (isYear(token.text) && (endsName || (at === 0 && next?.line))) return readYear(title, at, value, context)
    if (
      next?.text === 'k' &&
      token.gap >= GAP.blank &&
      next.gap === GAP.none &&
      value >= MIN_THOUSANDS &&
      tokens[at + 2]?.gap !== GAP.none
    ) {
      next.isConsumed = true
      return true
    }
    const isTera = next?.text === 't' && next.gap === GAP.none && (value === 1 || value === 2) && modelNumberCount > 0
    if (!isTera) return false
    next.isConsumed = true
    title.memoryAmounts.push({ gigabytes: value * 1024, isRam: false })
    return true
  }
  if (isYear(token.text)) return readYear(title, at, value, context)
  // "MH-32" is the code of a charger.
  const isCode = token.gap === GAP.joint && before?.word === null && !before.isNumber
  if (isCode) return modelNumberCount > 0
  const isConsoleSize = CONSOLE_SIZES.has(value) && tokens.some(({ text }) => CONSOLES.has(text))
  if (isConsoleSize || SIZES_WITHOUT_UNIT.has(value) || (value === 32 && modelNumberCount > 0)) {
    title.memoryAmounts.push({ gigabytes: value, isRam: false })
    return true
  }
  if (modelNumberCount > 0 && WATCH_MILLIMETERS.has(value) && tokens.some(({ text }) => text === 'watch')) {
    title.millimeters.push(value)
    return true
  }
  // "10/10" is a rating.
  if (modelNumberCount > 0 && next?.isNumber && next.text === '10' && value >= 7 && value <= 10) {
    next.isConsumed = true
    return true
  }
  return false
}

/** "PS4 slim 500". */
const CONSOLE_SIZES = new Set([500, 825])
const CONSOLES = new Set(['playstation', 'xbox'])

const TENTH_IPHONES = new Set(['x', 'xr', 'xs'])

/** Case sizes of watches, which titles often state without a unit: "Apple Watch S6 44". */
const WATCH_MILLIMETERS = new Set([38, 40, 41, 42, 43, 44, 45, 46, 47, 49])

const isYear = (text: string) => text.length === 4 && Number(text) >= FIRST_YEAR && Number(text) <= LAST_YEAR

const isNameWord = (token: Token | undefined) =>
  token !== undefined && token.text.length > 1 && (token.word?.isModelWord === true || token.line !== null)
