import { randomInt } from 'node:crypto'

/** How the ids of one kind of row look. A shape never changes: rows of all years are sorted by their ids together. */
export type IdShape = {
  readonly prefix: string
  /** 32 digits in text order, without the letters that look like digits. */
  readonly digits: string
  /** Digits of the time in milliseconds. */
  readonly timeLength: number
}

export const LOWER_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
export const UPPER_DIGITS = LOWER_DIGITS.toUpperCase()

/** Lookups and appraisals: what was answered, and is kept as long as its house wants. */
export const recordIdShape = (prefix: string): IdShape => ({ prefix, digits: UPPER_DIGITS, timeLength: 10 })

const HALF_RANGE = 2 ** 40
const HALF_LENGTH = 8

/** Text order is number order, on every database and in every locale. */
function base32(value: number, length: number, digits: string): string {
  let text = ''
  let rest = value
  for (let at = 0; at < length; at++) {
    text = digits.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/**
 * Ids that sort by time: the milliseconds, then 80 random bits that count up within a millisecond. They never go back,
 * even when the clock does, so what one process made one after the other stays in that order.
 */
export function idGenerator(shape: IdShape, randomBelow: (limit: number) => number): (now: number) => string {
  const { digits } = shape
  let lastMs = -1
  let low = 0
  let beginning = ''
  return (now) => {
    if (now > lastMs) {
      lastMs = now
      low = randomBelow(HALF_RANGE / 2)
      beginning = idLowerBound(shape, now) + base32(randomBelow(HALF_RANGE), HALF_LENGTH, digits)
    } else low++
    return beginning + base32(low, HALF_LENGTH, digits)
  }
}

/** Below every id made at `epochMs` or later, above every id made before. */
export function idLowerBound({ prefix, digits, timeLength }: IdShape, epochMs: number): string {
  return `${prefix}_${base32(Math.max(0, epochMs), timeLength, digits)}`
}

/** The instant that an id, or the bound of one, begins with. */
export function idTime({ prefix, digits, timeLength }: IdShape, id: string): number {
  let epochMs = 0
  for (const digit of id.slice(prefix.length + 1, prefix.length + 1 + timeLength))
    epochMs = epochMs * 32 + digits.indexOf(digit)
  return epochMs
}

const generators = new Map<string, (now: number) => string>()

/** The id of a new row of some kind: an organization, a key, a person, an audit entry. */
export function sortableId(prefix: string, now: number): string {
  let make = generators.get(prefix)
  if (!make) {
    make = idGenerator({ prefix, digits: LOWER_DIGITS, timeLength: 9 }, randomInt)
    generators.set(prefix, make)
  }
  return make(now)
}
