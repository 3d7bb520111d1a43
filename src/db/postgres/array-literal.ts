import type { ColumnValues } from '../database.ts'

/** An array as PostgreSQL reads it. It cannot store NUL in text, as SQLite can; it means nothing in any of our texts. */
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
