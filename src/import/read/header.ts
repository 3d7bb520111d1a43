/** Finds columns by name, ignoring case, accents, blanks, underscores, dashes and brackets. */

import type { DomainError } from '../../lib/errors.ts'
import { memoize } from '../../lib/memoize.ts'
import { reason } from '../../lib/reasons.ts'
import { columnKey } from '../../tables/column-key.ts'
import { MAX_COLUMNS } from './limits.ts'
import { unreadableFile } from './unreadable-file.ts'

export type TableHeader = {
  readonly names: readonly string[]
  /** Position of the first column with one of these names, −1 when there is none. */
  readonly find: (...names: string[]) => number
  readonly has: (...names: string[]) => boolean
}

export function parseHeader(fields: readonly string[]): TableHeader {
  const keys = fields.map(columnKey)
  const positionOf = memoize(MAX_COLUMNS, (name: string) => keys.indexOf(columnKey(name)))
  const find = (...names: string[]) => {
    for (const name of names) {
      const at = positionOf(name)
      if (at >= 0) return at
    }
    return -1
  }
  return { names: fields, find, has: (...names) => names.every((name) => find(name) >= 0) }
}

/** The field at a position, trimmed; empty when the row is too short or the column does not exist. */
export function cellText(fields: readonly string[], at: number): string {
  return at < 0 ? '' : (fields[at]?.trim() ?? '')
}

export function missingColumnsError(name: string, header: TableHeader, needed: readonly string[]): DomainError {
  const missing = needed.filter((column) => !header.has(column))
  const headerText = header.names.map((column) => column.trim()).join(', ')
  return unreadableFile(
    `${name} lacks the column${missing.length > 1 ? 's' : ''} ${missing.join(', ')}; its header is: ${headerText.slice(0, 200)}`,
    reason('file_columns_missing', { name, columns: missing.join(', ') }),
  )
}
