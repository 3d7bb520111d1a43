import type { ColumnValues } from './open.ts'

/** An array as PostgreSQL reads it. It cannot store NUL in text, as SQLite can; it means nothing in any of our texts. */
export function arrayLiteral(values: ColumnValues): string {
  const items: string[] = new Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value === 'number' && !Number.isNaN(value)) items[at] = String(value)
    else if (typeof value === 'string') items[at] = `"${value.replace(SPECIAL, escaped)}"`
    else items[at] = 'NULL'
  }
  return `{${items.join(',')}}`
}

const SPECIAL = /["\\\0]/g
const escaped = (letter: string) => (letter === '\0' ? '' : `\\${letter}`)
