/** The four kinds of TAC list: which makes and models an eight-digit type allocation code stands for. */

import { unguardFormula } from '../../lib/csv-writer.ts'
import type { RejectionCode, RemarkCode } from '../../lib/rejections.ts'
import { type Schema, shareOf } from '../../tables/assign-columns.ts'
import { cellText, type TableHeader } from '../read/header.ts'
import type { TableRecord } from '../read/table-records.ts'

export type TacFact = {
  readonly tac: string
  readonly make: string
  readonly model: string
  /** Further names the same model goes by, to find its device. */
  readonly aliases: readonly string[]
  readonly deviceId?: string | undefined
  readonly confidence?: number | undefined
}

type ModelName = Omit<TacFact, 'tac'>
type CellOf = (name: string) => string

export type TacFormat = {
  readonly source: 'own' | 'osmocom' | 'samsung-tac' | 'gsma'
  readonly title: string
  /** Confidence of a fact of this list by itself. */
  readonly confidence: number
  readonly isHeader: (header: TableHeader) => boolean
  /** The models of a row, or why it is rejected. */
  readonly parseModels: (fields: readonly string[], cell: CellOf) => readonly ModelName[] | RejectionCode
}

const splitNames = (names: readonly string[]) => [...new Set(names.map((name) => name.trim()).filter(Boolean))]

/** Columns of a list of one's own. */
export const TAC_COLUMNS: Schema<'tac' | 'make' | 'model' | 'device_id' | 'confidence'> = {
  fields: [
    { name: 'tac', words: ['tac'], fit: (column) => shareOf(column, (cell) => /^\d{7,8}$/.test(cell)) },
    { name: 'make', words: ['make'] },
    { name: 'model', words: ['model'] },
    { name: 'device_id', words: ['deviceId'] },
    { name: 'confidence', words: ['confidence'] },
  ],
  decoys: [],
}

/** In the order they are tried on a header. */
export const TAC_FORMATS: readonly TacFormat[] = [
  {
    source: 'osmocom',
    title: 'the Osmocom TAC database',
    confidence: 60,
    isHeader: (header) => header.has('tac', 'contributor', 'aka'),
    // By position: the header has "name" and "gsmarena" twice. The contributor is a person and is not stored.
    parseModels(fields) {
      const make = cellText(fields, 1)
      const model = cellText(fields, 2)
      if (!make || !model) return 'make_or_model_missing'
      return [{ make, model, aliases: splitNames(cellText(fields, 7).split(',')) }]
    },
  },
  {
    source: 'samsung-tac',
    title: 'a list of Samsung TACs',
    confidence: 75,
    isHeader: (header) => header.has('tac', 'model', 'model2'),
    parseModels(fields) {
      const models = splitNames(fields.slice(1))
      return models.length === 0
        ? 'make_or_model_missing'
        : models.map((model) => ({ make: 'Samsung', model, aliases: [] }))
    },
  },
  {
    source: 'gsma',
    title: 'a GSMA TAC dump',
    confidence: 90,
    isHeader: (header) => header.has('tac', 'manufacturer', 'allocation date'),
    parseModels(_fields, cell) {
      const findKnown = (...names: string[]) => names.map(cell).find((text) => text && !/^not known$/i.test(text)) ?? ''
      const make = findKnown('brand name', 'manufacturer')
      const model = findKnown('marketing name', 'model name', 'internal model name')
      if (!make || !model) return 'make_or_model_missing'
      if (!/^\d{2}-[A-Z][a-z]{2}-\d{4}$/.test(cell('allocation date'))) return 'allocation_date_invalid'
      const aliases = [findKnown('model name'), findKnown('internal model name')].filter(
        (name) => name && name !== model,
      )
      return [{ make, model, aliases }]
    },
  },
  {
    source: 'own',
    title: 'your own list',
    confidence: 95,
    isHeader: (header) => header.has('tac', 'make', 'model'),
    parseModels(_fields, cell) {
      const make = cell('make')
      const model = cell('model')
      if (!make || !model) return 'make_or_model_missing'
      const confidence = cell('confidence')
      if (confidence && !/^(?:100|[1-9]?\d)$/.test(confidence)) return 'confidence_invalid'
      const deviceId = cell('device_id') || undefined
      return [{ make, model, aliases: [], deviceId, confidence: confidence ? Number(confidence) : undefined }]
    },
  },
]

/** Facts of a row with an optional remark, or the reason to reject it. */
type ParsedTacRow = {
  readonly facts?: readonly TacFact[]
  readonly remark?: RemarkCode
  readonly problem?: RejectionCode
}

export function parseTacRow(format: TacFormat, record: TableRecord): ParsedTacRow {
  const cell = (name: string) => unguardFormula(record.cell(name))
  const tac = parseTac(cell('tac'))
  if (!tac) return { problem: 'tac_invalid' }
  const models = format.parseModels(record.fields, cell)
  if (typeof models === 'string') return { problem: models }
  return { facts: models.map((model) => ({ ...model, tac: tac.digits })), ...tac.remark }
}

/**
 * Eight digits. Spreadsheets drop a leading zero; of the codes that begin with zero only 01 was assigned to real devices,
 * so seven digits are restored if they become an 01 code, and rejected otherwise.
 */
function parseTac(text: string): { digits: string; remark: { remark?: RemarkCode } } | undefined {
  if (/^\d{8}$/.test(text)) return { digits: text, remark: {} }
  if (/^1\d{6}$/.test(text)) return { digits: `0${text}`, remark: { remark: 'leading_zero_restored' } }
  return undefined
}
