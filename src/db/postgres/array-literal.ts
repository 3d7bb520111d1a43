import type { ColumnValues } from '../database.ts'

/** A PostgreSQL array literal. Drops NUL characters, which PostgreSQL cannot store in text. */
export function toArrayLiteral(values: ColumnValues): string {
  const items: string[] = new Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value === 'number' && !Number.isNaN(value)) items[at] = String(value)
    else if (typeof value === 'string') items[at] = `"${value.replace(SPECIAL, escapeCharacter)}"`
    else items[at] = 'NULL'
  }
  return `{${items.join(',')}}`
}

const SPECIAL = /["\\\0]/g
const escapeCharacter = (letter: string) => (letter === '\0' ? '' : `\\${letter}`)
