import { randomInt } from 'node:crypto'

/** The format of the ids of one kind of row. It never changes, because rows of all years sort together. */
export type IdShape = {
  readonly prefix: string
  /** 32 digits in text order, without ambiguous letters. */
  readonly digits: string
  /** Number of digits of the timestamp. */
  readonly timeLength: number
}

export const LOWER_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
export const UPPER_DIGITS = LOWER_DIGITS.toUpperCase()

/** Lookups and appraisals. */
export const recordIdShape = (prefix: string): IdShape => ({ prefix, digits: UPPER_DIGITS, timeLength: 10 })

const HALF_RANGE = 2 ** 40
const HALF_LENGTH = 8

/** Encodes a number so that text order is number order. */
export function base32(value: number, length: number, digits: string): string {
  let text = ''
  let remaining = value
  for (let at = 0; at < length; at++) {
    text = digits.charAt(remaining % 32) + text
    remaining = Math.floor(remaining / 32)
  }
  return text
}

/**
 * Ids that sort by time: milliseconds, then 80 random bits that count up within a millisecond. Monotonic within a process,
 * even if the clock goes back.
 */
export function idGenerator(shape: IdShape, randomBelow: (limit: number) => number): (now: number) => string {
  const { digits } = shape
  let lastMs = -1
  let counter = 0
  let idStart = ''
  return (now) => {
    if (now > lastMs) {
      lastMs = now
      counter = randomBelow(HALF_RANGE / 2)
      idStart = idLowerBound(shape, now) + base32(randomBelow(HALF_RANGE), HALF_LENGTH, digits)
    } else counter++
    return idStart + base32(counter, HALF_LENGTH, digits)
  }
}

/** Below every id created at `epochMs` or later, above every earlier id. */
export function idLowerBound({ prefix, digits, timeLength }: IdShape, epochMs: number): string {
  return `${prefix}_${base32(Math.max(0, epochMs), timeLength, digits)}`
}

/** Organizations, keys, people, imports and audit entries. */
export const sortableIdShape = (prefix: string): IdShape => ({ prefix, digits: LOWER_DIGITS, timeLength: 9 })

const generators = new Map<string, (now: number) => string>()

/** A new id in that format. */
export function sortableId(prefix: string, now: number): string {
  let generate = generators.get(prefix)
  if (!generate) {
    generate = idGenerator(sortableIdShape(prefix), randomInt)
    generators.set(prefix, generate)
  }
  return generate(now)
}
