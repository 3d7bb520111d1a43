/** Parses headers and rows of identifier lists in the DIRBS formats. */
import type { ListKind } from '../../db/schema.ts'
import type { RejectionCode } from '../../lib/rejections.ts'
import { isDay } from '../../lib/time.ts'
import { NEVER, type Schema, shareOf } from '../../tables/assign-columns.ts'
import type { TableHeader } from '../read/header.ts'
import type { TableRecord } from '../read/table-records.ts'

const ESN_LENGTH = 8

export type ListFormat = { readonly kind: ListKind; readonly isDelta: boolean }

export type ListEntry = {
  readonly key14: string
  readonly status: string
  readonly reportedOn: string | null
  readonly change: 'add' | 'remove'
}

/** Each kind of identifier is a field of its own, so that one list is never taken for another. */
export const LIST_COLUMNS: Schema<string> = {
  fields: [
    { name: 'imei', words: ['imei'], fit: (column) => shareOf(column, isIdentifier) || NEVER },
    { name: 'approved_imei', words: ['approvedImei'] },
    { name: 'golden_imei', words: ['goldenImei'] },
    { name: 'imsi', words: ['imsi'] },
    { name: 'tac', words: ['tac'], fit: (column) => shareOf(column, (cell) => /^\d{8}$/.test(cell)) },
    { name: 'reporting_date', words: ['reportedOn'] },
    { name: 'status', words: ['state'] },
    { name: 'change_type', words: ['changeType'] },
  ],
  decoys: [],
}
const isIdentifier = (cell: string) => /^[\dA-Fa-f*#]{8,16}$/.test(cell)

/** The format of a header, or the reason to reject the file. */
export function detectListFormat(header: TableHeader): ListFormat | string {
  const isDelta = header.has('change_type')
  if (header.has('imsi')) return 'is a pairing list; it says nothing about the status of a device'
  if (header.has('golden_imei')) return 'is a golden list; it says nothing about the status of a device'
  if (header.has('approved_imei')) return { kind: 'registration', isDelta }
  if (header.has('imei', 'reporting_date')) return { kind: 'stolen', isDelta }
  if (header.has('imei')) return { kind: 'barred', isDelta }
  if (header.has('tac') && header.names.length <= 2) return { kind: 'barred_tac', isDelta }
  if (header.names.some((name) => /^[\dA-Fa-f*#]{8,16}$/.test(name.trim()))) return 'has no header line'
  return `has no column imei, approved_imei or tac; its header is: ${header.names.join(', ').slice(0, 160)}`
}

/** The listing of a row, or the reason to reject it. */
export function parseListEntry({ cell }: TableRecord, { kind, isDelta }: ListFormat): ListEntry | RejectionCode {
  const identifier = cell('imei', 'approved_imei', 'tac')
  if (!identifier) return 'identifier_missing'
  let key14: string
  if (kind === 'barred_tac') {
    if (!/^\d{8}$/.test(identifier)) return 'tac_invalid'
    key14 = identifier
  } else {
    if (!/^[\dA-Fa-f*#]+$/.test(identifier)) return 'identifier_characters'
    const lengthProblem = findLengthProblem(identifier.length)
    if (lengthProblem) return lengthProblem
    // Check digit and software version do not identify the device.
    key14 = identifier.slice(0, 14).toUpperCase()
  }
  const date = cell('reporting_date')
  const reportedOn = date ? parseDay(date) : null
  if (reportedOn === undefined) return 'reporting_date_invalid'
  const status = parseStatus(kind, cell('status').toLowerCase())
  if (status === undefined) return 'status_invalid'
  const change = isDelta ? cell('change_type').toLowerCase() : 'add'
  if (change !== 'add' && change !== 'update' && change !== 'remove') return 'change_type_invalid'
  return { key14, status, reportedOn, change: change === 'remove' ? 'remove' : 'add' }
}

/** An entry that is neither an IMEI, a MEID nor a hexadecimal ESN would never be found. */
function findLengthProblem(length: number): RejectionCode | undefined {
  if (length > 16) return 'identifier_too_long'
  if (length === ESN_LENGTH || length >= 14) return undefined
  return 'identifier_too_short'
}

function parseStatus(kind: ListKind, text: string): string | undefined {
  if (kind === 'registration') return text || 'whitelist'
  if (kind !== 'stolen') return 'barred'
  if (text === '' || text === 'blacklist') return 'blacklist'
  return text === 'pending' ? 'pending' : undefined
}

/** Parses `yyyymmdd`; undefined if it is not a day. */
function parseDay(text: string): string | undefined {
  const day = text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  return text.length === 8 && isDay(day) ? day : undefined
}
