/** Recognises the columns of a price list by their names or by the operator's mapping, never by position. */

import { DomainError, invalid } from '../../lib/errors.ts'
import { type Reason, reason } from '../../lib/reasons.ts'
import { type ListingState, PRICE_SIDES, type PriceSide } from '../../pricing/model/observation.ts'
import { meaningOfSign } from '../../tables/amount.ts'
import {
  assignColumns,
  type ColumnDoubt,
  type Field,
  mentions,
  NEVER,
  type Schema,
  shareOf,
  type TableColumn,
  tableColumns,
  titleKeys,
} from '../../tables/assign-columns.ts'
import { columnKey } from '../../tables/column-key.ts'
import { COLUMN_KEYS, COLUMN_WORDS, type NamedColumn } from '../../tables/column-words.ts'
import { columnsWithoutVat, DECOYS, type DeviceOf, deviceFits, fits, soldFlagFit } from '../../tables/fields.ts'
import { currencySignOf, withoutQualifiers } from '../../tables/price-title.ts'
import { unitOfLines, unitOfTitle } from '../../tables/price-unit.ts'
import { isSentenceWithoutVat, isTitleWithoutVat, isWordOf, says } from '../../tables/stated-words.ts'
import { unreadableFile } from '../read/unreadable-file.ts'
import { parseOptionPairs } from './option-pairs.ts'

export const PRICE_COLUMN_NAMES = [
  'source',
  'side',
  'variant',
  'sku',
  'partNumber',
  'make',
  'model',
  'storage',
  'ram',
  'color',
  'condition',
  'amount',
  'cents',
  'currency',
  'country',
  'date',
  'listing',
  'state',
  'listedOn',
  'lock',
  'description',
  'battery',
  'imei',
  'notes',
  'quantity',
] as const satisfies readonly NamedColumn[]

export type PriceColumn = (typeof PRICE_COLUMN_NAMES)[number]

/** A carrier is a lock here. */
const WORDS_OF: Readonly<Partial<Record<PriceColumn, readonly NamedColumn[]>>> = {
  lock: ['lock', 'carrier'],
  state: ['state', 'soldFlag'],
  notes: ['notes', 'defects'],
}

/** Header words of each column in all languages. */
export const PRICE_COLUMNS = Object.fromEntries(
  PRICE_COLUMN_NAMES.map((column) => [
    column,
    (WORDS_OF[column] ?? [column]).flatMap((words) => (words === 'soldFlag' ? [] : COLUMN_WORDS[words])),
  ]),
) as unknown as Readonly<Record<PriceColumn, readonly string[]>>

export type PriceCells = Readonly<Record<PriceColumn, string>>

export const EMPTY_CELLS = Object.fromEntries(PRICE_COLUMN_NAMES.map((column) => [column, ''])) as Record<
  PriceColumn,
  string
>

/** Columns by the word an operator writes in `--map`: our own names and all header words. */
const COLUMN_BY_ALIAS: ReadonlyMap<string, PriceColumn> = new Map([
  ...PRICE_COLUMN_NAMES.flatMap((column) => PRICE_COLUMNS[column].map((name) => [columnKey(name), column] as const)),
  ...PRICE_COLUMN_NAMES.map((column) => [columnKey(column), column] as const),
])

/** Header words of each column as `columnKey` writes them. */
export const KEYS_BY_COLUMN = Object.fromEntries(
  PRICE_COLUMN_NAMES.map((column) => [column, PRICE_COLUMNS[column].map(columnKey)]),
) as Record<PriceColumn, string[]>

/** The name of the file's column for each of our columns. */
export type ColumnMap = Readonly<Partial<Record<PriceColumn, string>>>

/** In place of a column name: do not use this column even if its name is recognised. */
const NO_COLUMN = '-'

/** `title=ad_title,price=old_price,state=-`. */
export function parseColumnMap(text: string): ColumnMap {
  const map: Partial<Record<PriceColumn, string>> = {}
  for (const [word, name, pair] of parseOptionPairs('map', text)) {
    const column = COLUMN_BY_ALIAS.get(columnKey(word))
    if (!column || name === '') {
      throw invalid(
        'map',
        pair.trim(),
        `what a column is and its name, such as title=ad_title,price=old_price; there are ${PRICE_COLUMN_NAMES.join(', ')}`,
        reason('column_mapping'),
      )
    }
    map[column] = name
  }
  return map
}

export type ColumnLayout = {
  readonly names: ColumnMap
  /** Columns in whose place an option counts, by their names. */
  readonly overruled?: ColumnMap
  /** What the name of the price column implies. */
  readonly implied: { readonly currency?: string; readonly side?: PriceSide }
  /** Sign in the name of the price column that several currencies share, such as `$`. */
  readonly currencySign?: string
  /** The name of the price column or a line above the header says that the prices are without VAT. */
  readonly vat?: 'excluded'
  /** The rate that it names. */
  readonly vatRate?: number
  /** Amounts are of a lot: of all its pieces. */
  readonly isPerLot?: boolean
  /** What one unit of an amount is, if one of them says so: 0.01 for cents, 1000 for thousands. */
  readonly unit?: number
}

const STATED_RATE = /(?<![\d.,])(\d{1,2}(?:[.,]\d)?) ?%/
const MAX_VAT_PERCENT = 27

/** The layout with what lines about the prices, such as those above the header, say: their unit, that they are without VAT, and its rate. */
export function withTerms(layout: ColumnLayout, lines: readonly string[]): ColumnLayout {
  const unit = layout.unit ?? unitOfLines(lines)
  return withVat(unit === 1 ? layout : { ...layout, unit }, lines)
}

function withVat(layout: ColumnLayout, lines: readonly string[]): ColumnLayout {
  const line = lines.find(isSentenceWithoutVat)
  if (line === undefined) return layout
  const percent = Number(STATED_RATE.exec(line)?.[1]?.replace(',', '.') ?? 0)
  const isRate = percent > 0 && percent <= MAX_VAT_PERCENT
  return { ...layout, vat: 'excluded', ...(isRate ? { vatRate: percent / 100 } : {}) }
}

/** A column of the file, with a few example cells. */
export type FileColumn = { readonly name: string; readonly examples: readonly string[] }

/** The columns of a file do not make a price list. The dashboard then asks for a mapping. */
export class UnrecognisedColumnsError extends DomainError {
  /** The columns that were recognised. */
  readonly names: ColumnMap
  /** Several columns could be the price or the device. */
  readonly isDoubt: boolean
  constructor(message: string, names: ColumnMap, why: Reason, isDoubt = false) {
    super('invalid', message, why)
    this.names = names
    this.isDoubt = isDoubt
  }
}

const ANSWERS: Readonly<Record<string, 'sold' | 'active'>> = {
  ...Object.fromEntries(['1', 'true', 'yes', 'y', 'ja', 'sold'].map((word) => [word, 'sold' as const])),
  ...Object.fromEntries(['0', 'false', 'no', 'n', 'nein'].map((word) => [word, 'active' as const])),
}

/** The state of a listing by the answer to "sold?". */
export const stateFromAnswer = (answer: string): 'sold' | 'active' | undefined => ANSWERS[answer.trim().toLowerCase()]

const STATES: Readonly<Record<string, ListingState>> = {
  '': 'active',
  active: 'active',
  new: 'active',
  alive: 'active',
  gone: 'gone',
  ended: 'gone',
  expired: 'gone',
  sold: 'sold',
}

/** Undefined if the text says something else. */
export const parseListingState = (text: string): ListingState | undefined =>
  STATES[text.toLowerCase()] ?? stateFromAnswer(text)

/** Whether a column says of each row if it was sold. */
const isSoldColumn = (title: string) => COLUMN_KEYS.soldFlag.includes(columnKey(title))

export type ColumnRules = {
  /** False where the operator names the device of all rows. */
  readonly needsModel?: boolean
  /** Whether the name of the file names the device of all rows; asked only if no column does. */
  readonly isDeviceInName?: () => boolean
  /** The device of the catalogue that a text names. */
  readonly deviceOf?: DeviceOf
  /** Fields that an option states for all rows. */
  readonly stated?: readonly PriceColumn[]
}

const isSlug = (cell: string) => /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+$/u.test(cell)
/** The side that a cell names, in any language. */
export function parseSide(text: string): PriceSide | undefined {
  const side = PRICE_SIDES.find((candidate) => candidate === text.trim().toLowerCase())
  if (side || text.length > MAX_SIDE_CHARS) return side
  if (isWordOf(text, 'quotedPrice')) return 'quote'
  if (isWordOf(text, 'soldPrice') || isWordOf(text, 'shopSells')) return 'sold'
  return isWordOf(text, 'askedPrice') || isWordOf(text, 'offered') ? 'ask' : undefined
}
const MAX_SIDE_CHARS = 30

const sideShare = (column: TableColumn) => {
  const cells = new Set(column.cells)
  return cells.size === 0 || cells.size > PRICE_SIDES.length
    ? 0
    : shareOf(column, (cell) => parseSide(cell) !== undefined)
}

/** Shops call sizes or colours variants. */
const slugFit = (column: TableColumn) => {
  const share = shareOf(column, isSlug)
  return share === 0 && column.cells.length > 0 && fits.sizeAlone(column) > 0 ? NEVER : share
}
const isListingState = (cell: string) => parseListingState(cell) !== undefined

function priceFields(columns: readonly TableColumn[], deviceOf?: DeviceOf): Schema<PriceColumn> {
  const device = deviceFits(columns, deviceOf)
  const withoutVat = columnsWithoutVat(columns)
  const special: Partial<Record<PriceColumn, Omit<Field<PriceColumn>, 'name' | 'words'>>> = {
    model: { fit: device.fit, preference: device.preference, byCells: 11, minFit: 0.35, misfit: 0, isNeeded: true },
    amount: {
      ...{ fit: fits.amount, fitAlone: fits.money, byCells: 7, minFit: 0.7, isNeeded: true },
      preference: ({ at, title, cells, rows }) =>
        // What a shop sells for goes before what it pays, and few articles have a `Sale price` beside their `Regular price`.
        (sideOfPriceTitle(title) === 'quote' ? -1.5 : 0) +
        (isTitleWithoutVat(title) ? -0.5 : 0) +
        (withoutVat.has(at) ? -1 : 0) +
        (says(title, 'lotPrice') ? -2 : 0) +
        (cells.length < rows / 2 ? -6 : 0),
    },
    storage: { fit: fits.size, fitAlone: fits.sizeAlone, byCells: 8, minFit: 0.8, misfit: 0 },
    ram: { fit: fits.memory },
    condition: { fit: fits.grade, byCells: 8, minFit: 0.6, misfit: 0 },
    currency: { fit: fits.currency, byCells: 8, minFit: 1 },
    imei: { fit: fits.identifier, misfit: 0 },
    // A type may be that of a device.
    side: { fit: (column) => sideShare(column) || NEVER, byCells: 8, minFit: 1 },
    description: { fit: (column) => (device.isBest(column) ? 0 : 1), misfit: 9 },
    quantity: { fit: fits.counts },
    // Ids contain the words of a title; only the exact name of the column says that they are ids.
    variant: { fit: slugFit, minFit: Number.POSITIVE_INFINITY, misfit: 0 },
    date: {
      ...{ fit: fits.date, byCells: 6, minFit: 1 },
      preference: ({ title }) => (mentions(title, 'saleDay') ? 2 : 0),
    },
    listedOn: { fit: fits.date, minFit: 1 },
    state: { fit: soldFlagFit(isListingState) },
  }
  return {
    fields: PRICE_COLUMN_NAMES.map((name) => ({ name, words: WORDS_OF[name] ?? [name], ...special[name] })),
    decoys: DECOYS,
  }
}

/**
 * Recognises the columns of a file; throws when they do not make a price list. `cellsOf` returns the cells of a column in some rows;
 * without it names alone count.
 */
export function detectColumns(
  header: readonly string[],
  map: ColumnMap,
  name: string,
  { needsModel = true, deviceOf, stated = [] }: ColumnRules = {},
  cellsOf: (at: number) => readonly string[] = () => [],
): ColumnLayout {
  const lastKeys = lastNames(header, map)
  const columns = tableColumns(header, cellsOf, (title) => {
    const keys = titleKeys(title, withoutQualifiers)
    const last = lastKeys.get(title)
    return last === undefined ? keys : [...keys, { key: last, score: 9 }]
  })
  const { fields, doubts } = assignColumns(columns, priceFields(columns, deviceOf), fixedColumns(header, map, name))
  const names: Partial<Record<PriceColumn, string>> = {}
  for (const [at, field] of fields.entries()) if (field) names[field] = header[at] as string
  for (const [column, mapped] of Object.entries(map) as [PriceColumn, string][])
    if (/^\*\d$/.test(mapped)) names[column] = mapped
  const [doubt] = doubts.filter(({ field }) => map[field] === undefined)
  if (doubt) throw doubtError(name, doubt, header, withoutMissing(names))
  const overruled = stated.flatMap((column) => (names[column] === undefined ? [] : [[column, names[column]] as const]))
  for (const [column] of overruled) delete names[column]
  if (names.amount === undefined && names.cents === undefined)
    throw noPriceListError(name, 'price', header, withoutMissing(names))
  if (needsModel && !IDENTIFYING_COLUMNS.some((column) => names[column] !== undefined))
    throw noPriceListError(name, 'device', header, withoutMissing(names))
  rejectRepeatedColumns(name, header, names)
  const netColumns = columnsWithoutVat(columns)
  const isWithoutVat = (title?: string) => columns.some((column) => column.title === title && netColumns.has(column.at))
  const key = columnKey(names.amount ?? '')
  const sign = currencySignOf(key)
  const meaning = meaningOfSign(sign)
  const currency = meaning?.sharedBy ? null : meaning?.currency
  const unit = unitOfTitle(names.amount ?? '')
  // A column that says which listings were sold says more than the name of the price.
  const side = isSoldColumn(names.state ?? '') ? undefined : sideOfPriceTitle(names.amount ?? '')
  return {
    names: withoutMissing(names),
    implied: { ...(currency ? { currency } : {}), ...(side ? { side } : {}) },
    ...(meaning?.sharedBy ? { currencySign: sign } : {}),
    ...(isTitleWithoutVat(names.amount ?? '') || isWithoutVat(names.amount) ? { vat: 'excluded' } : {}),
    ...(unit === 1 ? {} : { unit }),
    ...(names.quantity !== undefined && says(names.amount ?? '', 'lotPrice') ? { isPerLot: true } : {}),
    ...(overruled.length > 0 ? { overruled: Object.fromEntries(overruled) } : {}),
  }
}

/** Columns that name the device of a row. */
const IDENTIFYING_COLUMNS: readonly PriceColumn[] = ['variant', 'sku', 'partNumber', 'model']

/** The positions of the columns that the operator mapped; fields that are not to be used have a position that no column has. */
function fixedColumns(header: readonly string[], map: ColumnMap, name: string): Map<number, PriceColumn> {
  const keys = header.map(columnKey)
  return new Map(
    (Object.entries(map) as [PriceColumn, string][]).map(([column, mapped], index) => {
      if (mapped === NO_COLUMN || /^\*\d$/.test(mapped)) return [-1 - index, column]
      const at = keys.indexOf(columnKey(mapped))
      if (at < 0) throw unknownColumnError(name, mapped, header)
      return [at, column]
    }),
  )
}

/** What the title of a price says about it: `sold price`, `Ankaufspreis`, `asking price`. */
function sideOfPriceTitle(title: string): PriceSide | undefined {
  if (says(title, 'soldPrice')) return 'sold'
  if (says(title, 'quotedPrice')) return 'quote'
  return says(title, 'askedPrice') ? 'ask' : undefined
}

/** Of two columns "price" nothing says which one counts. Other repeated columns are read from the first. */
function rejectRepeatedColumns(name: string, header: readonly string[], { amount, cents, model }: ColumnMap): void {
  for (const used of [amount, cents, model]) {
    const sameName = header.filter((column) => used !== undefined && columnKey(column) === columnKey(used))
    if (sameName.length > 1) {
      throw unreadableFile(
        `${name} has ${sameName.length} columns named "${used}"; rename or remove all but one.`,
        reason('file_columns_doubled', { name, column: used ?? '' }),
      )
    }
  }
}

/** Too generic within nested objects: they may be the name of a seller or the id of a picture. */
const GENERIC_NAMES = new Set('name id text item product state status day date source market'.split(' '))

/**
 * Columns of nested JSON by the last name of their path: `prices[].storageSize` is a storage size. Only the array with the
 * price is considered, because every further array multiplies the rows.
 */
function lastNames(header: readonly string[], map: ColumnMap): ReadonlyMap<string, string> {
  const nested = header
    .filter((column) => /\.\S/.test(column))
    .map((column) => [lastName(column), column] as const)
    .filter(([key, column]) => !GENERIC_NAMES.has(key) || (key === 'name' && isDirectName(column, header)))
  if (nested.length === 0) return new Map()
  const keys = new Set(header.map(columnKey))
  const hasPrice = KEYS_BY_COLUMN.amount.some((key) => keys.has(key))
  const price = map.amount ?? (hasPrice ? '' : nested.find(([key]) => KEYS_BY_COLUMN.amount.includes(key))?.[1])
  const listOf = (path: string) => path.slice(0, Math.max(path.lastIndexOf('[]'), path.lastIndexOf('*')) + 1)
  const ofPrice = nested.filter(([, column]) => listOf(price ?? '').startsWith(listOf(column)))
  // Of two equal names the first counts.
  return new Map(
    ofPrice
      .filter(([key], at) => ofPrice.findIndex(([other]) => other === key) === at)
      .map(([key, column]) => [column, key]),
  )
}

/** Of `price.value` the price: an amount and its currency are an object. */
function lastName(path: string): string {
  const [parent = '', last = ''] = path.split('.').slice(-2)
  const key = columnKey(last)
  const isAmountOf = key === 'value' && KEYS_BY_COLUMN.amount.includes(columnKey(parent))
  return isAmountOf ? columnKey(parent) : key
}

/** `devices[].name` is the device if the objects of the same list have prices and no other list does. */
function isDirectName(column: string, header: readonly string[]): boolean {
  const [, list] = /^([^.]*\[\])\.[^.]+$/.exec(column) ?? []
  const lists = new Set(
    header.filter((other) => other.includes('[]')).map((other) => other.slice(0, other.indexOf('[]') + 2)),
  )
  return (
    list !== undefined &&
    lists.size === 1 &&
    header.some((other) => other.startsWith(`${list}.`) && /price|amount/i.test(other))
  )
}

function withoutMissing(names: Partial<Record<PriceColumn, string | undefined>>): ColumnMap {
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined))
}

const formatHeader = (header: readonly string[]) =>
  header
    .map((column) => column.trim())
    .join(', ')
    .slice(0, 200)

function unknownColumnError(name: string, column: string, header: readonly string[]): DomainError {
  return invalid('map', column, `a column of ${name}: ${formatHeader(header)}`, reason('unknown_column', { column }))
}

const DOUBT_WORDS: Readonly<Partial<Record<PriceColumn, string>>> = { amount: 'price', model: 'title' }

/** Names the columns between which a person has to choose, with cells of each. */
function doubtError(
  name: string,
  { field, columns }: ColumnDoubt<PriceColumn>,
  header: readonly string[],
  names: ColumnMap,
): UnrecognisedColumnsError {
  const described = columns.map(
    ({ title, cells }) => `"${title.trim()}" (${[...new Set(cells)].slice(0, 3).join(' · ')})`,
  )
  const word = DOUBT_WORDS[field] ?? field
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(described)
  return new UnrecognisedColumnsError(
    `${name}: which column is the ${word}, ${list}? Map it, such as ${word}=${columns[0]?.title.trim() ?? 'COLUMN'}.`,
    names,
    reason(field === 'model' ? 'columns_without_device' : 'columns_without_price', {
      name,
      columns: formatHeader(header),
    }),
    true,
  )
}

function noPriceListError(
  name: string,
  missing: 'price' | 'device',
  header: readonly string[],
  names: ColumnMap,
): UnrecognisedColumnsError {
  const field = missing === 'price' ? 'a price' : 'a title, model, SKU or variant'
  const columnsText = header.length === 0 ? 'It has no columns' : `Its columns are: ${formatHeader(header)}`
  return new UnrecognisedColumnsError(
    `${name} is not a price list: no column is recognised as ${field}. ${columnsText}. Map the columns, such as price=COLUMN.`,
    names,
    reason(`columns_without_${missing}`, { name, columns: formatHeader(header) }),
  )
}
