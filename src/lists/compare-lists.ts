/** What changed between two versions of a device list. */
import type { DeviceListChangeKind } from '../contract/device-list-columns.ts'
import { normalizeIdentifierText } from '../identifier/identifier-parser.ts'
import { foldText } from '../lib/fold-text.ts'
import type { TimeSliced } from '../lib/time-sliced.ts'
import { type AskingPrice, readAskingPrice, readGradeWords, readIdentifiers, readQuantity } from './device-list-row.ts'
import type { DeviceList, StoredRow } from './device-list-store.ts'
import { createCellGetter } from './list-columns.ts'
import { withRowChange } from './row-change.ts'

/** What two versions of a row are compared by. */
export type ComparedRow = {
  readonly line: number
  /** The device in the words of the list. */
  readonly name: string
  readonly identifier: string | null
  readonly reference: string
  /** The grade in the words of the list. */
  readonly grade: string
  /** Equal for words that mean the same grade. */
  readonly gradeKey: string
  readonly askingPrice: AskingPrice | null
  readonly quantity: number
}

export type RowDifference = {
  readonly kinds: readonly DeviceListChangeKind[]
  /** Null if the row is gone. */
  readonly after: ComparedRow | null
  /** Null if the row was added. */
  readonly before: ComparedRow | null
}

const ignoreQuestions = () => {}

export function createRowComparer({
  header,
  columns,
}: Pick<DeviceList, 'header' | 'columns'>): (row: StoredRow) => ComparedRow {
  const getCell = createCellGetter(columns, header)
  return ({ line, cells, change }) => {
    const cellOf = withRowChange((column) => getCell(cells, column), change)
    const parts = (['make', 'text', 'device_id', 'variant_id', 'storage', 'color'] as const).map((column) =>
      getCell(cells, column),
    )
    const [identifier] = readIdentifiers(cellOf, ignoreQuestions)
    return {
      line,
      name: parts.filter((part) => part !== '').join(' '),
      identifier: identifier === undefined ? null : normalizeIdentifierText(identifier),
      reference: cellOf('reference'),
      grade: cellOf('condition'),
      gradeKey: readGradeWords(cellOf('condition')),
      askingPrice: readAskingPrice(cellOf, ignoreQuestions),
      quantity: readQuantity(cellOf('quantity'), ignoreQuestions),
    }
  }
}

/**
 * Differences by line, rows that are gone last. A device is found again by its IMEI or serial number; a row without one by
 * its words and grade, then by its words alone if only one row of each version is left with them.
 */
export function* compareRows(
  before: readonly ComparedRow[],
  after: readonly ComparedRow[],
): TimeSliced<RowDifference[]> {
  const left = new Set(before)
  const partners = new Map<ComparedRow, ComparedRow>()
  for (const { keyOf, isUnique } of KEYS) {
    const open = yield* groupByKey(left, keyOf)
    const unmatched = yield* groupByKey(
      after.filter((row) => !partners.has(row)),
      keyOf,
    )
    for (const [key, rows] of unmatched) {
      const candidates = open.get(key) ?? []
      if (isUnique && (rows.length > 1 || candidates.length > 1)) continue
      for (const [at, row] of rows.slice(0, candidates.length).entries()) {
        const partner = candidates[at] as ComparedRow
        partners.set(row, partner)
        left.delete(partner)
      }
    }
    yield
  }
  const differences = after.flatMap((row): RowDifference[] => {
    const partner = partners.get(row)
    if (!partner) return [{ kinds: ['added'], after: row, before: null }]
    const kinds = changesOf(partner, row)
    return kinds.length > 0 ? [{ kinds, after: row, before: partner }] : []
  })
  return [...differences, ...Array.from(left, (row): RowDifference => ({ kinds: ['gone'], after: null, before: row }))]
}

type Key = { readonly keyOf: (row: ComparedRow) => string | null; readonly isUnique: boolean }

const wordsOf = ({ name }: ComparedRow) => foldText(name).replace(/\s+/g, ' ')
/** Most certain first. A device with an identifier is not another device of the same model. */
const KEYS: readonly Key[] = [
  { keyOf: ({ identifier }) => identifier, isUnique: false },
  { keyOf: (row) => anonymous(row, JSON.stringify([row.reference, wordsOf(row), row.gradeKey])), isUnique: false },
  { keyOf: (row) => anonymous(row, JSON.stringify([wordsOf(row), row.gradeKey])), isUnique: false },
  { keyOf: (row) => anonymous(row, wordsOf(row)), isUnique: true },
]
const anonymous = ({ identifier }: ComparedRow, key: string) => (identifier === null ? key : null)

/** Rows whose key is read before the work may pause. */
const ROWS_PER_SLICE = 100

function* groupByKey(rows: Iterable<ComparedRow>, keyOf: Key['keyOf']): TimeSliced<Map<string, ComparedRow[]>> {
  const groups = new Map<string, ComparedRow[]>()
  let read = 0
  for (const row of rows) {
    if (++read % ROWS_PER_SLICE === 0) yield
    const key = keyOf(row)
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

function changesOf(before: ComparedRow, after: ComparedRow): DeviceListChangeKind[] {
  const kinds: DeviceListChangeKind[] = []
  if (!isSamePrice(before.askingPrice, after.askingPrice)) kinds.push('price_changed')
  if (before.gradeKey !== after.gradeKey) kinds.push('grade_changed')
  if (before.quantity !== after.quantity) kinds.push('quantity_changed')
  return kinds
}

const isSamePrice = (a: AskingPrice | null, b: AskingPrice | null) =>
  a?.value === b?.value && (a?.currency ?? null) === (b?.currency ?? null)

type Version = Pick<DeviceList, 'name' | 'supplier' | 'header'>

/**
 * The list that a later one is the next version of: the newest of the same supplier, before others one with the same columns.
 * Without a supplier, the newest with the same columns and the same name apart from numbers, such as a date.
 */
export function findPreviousVersion<List extends Version>(list: Version, earlier: readonly List[]): List | null {
  const hasSameHeader = ({ header }: Version) => JSON.stringify(header) === JSON.stringify(list.header)
  const supplier = foldText(list.supplier).trim()
  const ofSupplier = earlier.filter((other) => foldText(other.supplier).trim() === supplier)
  if (supplier !== '') return ofSupplier.find(hasSameHeader) ?? ofSupplier[0] ?? null
  const stem = nameStem(list.name)
  return (stem && ofSupplier.find((other) => hasSameHeader(other) && nameStem(other.name) === stem)) || null
}

const nameStem = (name: string) =>
  foldText(name)
    .replace(/\.[a-z]{2,5}$/, '')
    .replace(/\(\d+\)|[\d\s._-]+/g, ' ')
    .trim()
