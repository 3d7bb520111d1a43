import type { ColumnValues } from '../database.ts'

/** A PostgreSQL array literal. Drops NUL characters, which PostgreSQL cannot store in text. */
export function toArrayLiteral(values: ColumnValues): string {
  const items: string[] = new Array(values.length)
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (typeof value === 'number' && !Number.isNaN(value)) items[index] = String(value)
    else if (typeof value === 'string') items[index] = `"${value.replace(SPECIAL, escapeCharacter)}"`
    else items[index] = 'NULL'
  }
  return `{${items.join(',')}}`
}

const SPECIAL = /["\\\0]/g
const escapeCharacter = (character: string) => (character === '\0' ? '' : `\\${character}`)
