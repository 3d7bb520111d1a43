import { UPPER_DIGITS } from '../../src/lib/id.ts'

const BITS = [45, 40, 35, 30, 25, 20, 15, 10, 5, 0]

/**
 * The id of a lookup or an appraisal as an expression that both databases understand, to fill a store with millions of
 * them: the milliseconds as ten digits to the base of 32, and a number in place of what is random.
 */
export function madeId(prefix: string, at: string, number: string): string {
  const digits = BITS.map((bits) => `substr('${UPPER_DIGITS}', cast(1 + ((${at}) >> ${bits} & 31) as integer), 1)`)
  return `'${prefix}_' || ${digits.join(' || ')} || substr(cast(10000000000000000 + ${number} as text), 2)`
}
