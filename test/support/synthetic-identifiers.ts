import { UPPER_DIGITS } from '../../src/lib/id.ts'

const BITS = [45, 40, 35, 30, 25, 20, 15, 10, 5, 0]

/**
 * SQL expression for the id of a lookup or an appraisal that works on both databases, to insert millions of rows: the
 * milliseconds as ten base-32 digits, and a number in place of the random part.
 */
export function madeId(prefix: string, at: string, number: string): string {
  const digits = BITS.map((bits) => `substr('${UPPER_DIGITS}', cast(1 + ((${at}) >> ${bits} & 31) as integer), 1)`)
  return `'${prefix}_' || ${digits.join(' || ')} || substr(cast(10000000000000000 + ${number} as text), 2)`
}
