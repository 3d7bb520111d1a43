/** Recognises columns of a price list by their cells, where names say too little. */
import { parseCondition } from '../../catalog/grade-words.ts'
import { foldPattern, foldText } from '../../lib/fold-text.ts'
import { meaningOfSign, parseAmount } from '../../tables/amount.ts'
import { columnKey, shortColumnKey } from '../../tables/column-key.ts'
import { resemblesColumn } from '../../tables/column-resemblance.ts'
import { parseDate } from '../../tables/date.ts'
import { withoutQualifiers } from '../../tables/price-title.ts'
import { isSizeCell, readSizePair } from '../../tables/size-cell.ts'
import { gigabytesFromText } from '../../text/sizes.ts'
import {
  type ColumnMap,
  isSoldColumn,
  KEYS_BY_COLUMN,
  NO_COLUMN,
  parseListingState,
  recognisedNames,
  stateFromAnswer,
} from './price-columns.ts'

/** Example cells of a column, row by row. */
type CellsOf = (column: string) => readonly string[]
type NamesDevice = (text: string) => boolean

/** The map with the columns that only their cells tell. */
export function recogniseByCells(
  header: readonly string[],
  map: ColumnMap,
  cellsOf: CellsOf,
  namesDevice?: NamesDevice,
): ColumnMap {
  const known = [
    preferTitles,
    withSizeColumn,
    withSoldColumn,
    withPriceColumn,
    preferFilledPrice,
    withGradesAsState,
    withGradeColumn,
    withDateColumn,
    withCurrencyColumn,
  ].reduce((before, recognise) => recognise(header, before, cellsOf), map)
  return namesDevice ? withDeviceColumn(header, known, cellsOf, namesDevice) : known
}

/** The columns that neither the map nor their names assign to a field. */
function freeColumns(header: readonly string[], map: ColumnMap): readonly string[] {
  const used = new Set(Object.values({ ...map, ...recognisedNames(header, map) }).map(columnKey))
  const words = new Set(Object.values(KEYS_BY_COLUMN).flat())
  return header.filter((column) => {
    const key = columnKey(column)
    return key !== '' && !used.has(key) && !words.has(key) && !words.has(shortColumnKey(column))
  })
}

/** Share of the cells that are not empty. */
function shareOf(cells: readonly string[], test: (cell: string) => boolean): number {
  const filled = cells.filter(Boolean)
  return filled.length === 0 ? 0 : filled.filter(test).length / filled.length
}

const MIN_DEVICE_SHARE = 0.5

/** The column whose cells name devices of the catalogue. */
function withDeviceColumn(
  header: readonly string[],
  map: ColumnMap,
  cellsOf: CellsOf,
  namesDevice: NamesDevice,
): ColumnMap {
  const { variant, partNumber, model } = recognisedNames(header, map)
  if (variant ?? partNumber ?? model ?? map.model) return map
  const [best] = header
    .filter((column) => !Object.values(map).some((mapped) => columnKey(mapped) === columnKey(column)))
    .map((column) => ({ column, share: shareOf(cellsOf(column), namesDevice) }))
    .sort((a, b) => b.share - a.share)
  return best && best.share >= MIN_DEVICE_SHARE ? { ...map, model: best.column } : map
}

const MIN_AMOUNT_SHARE = 0.7
/** Prices of something else: of the new device, of all pieces, of the shipment, or of the seller. */
const OTHER_PRICE = foldPattern(
  /neu(?:ware)?preis|(?:^| )(?:new|neuf|nuevo|nuovo|list|min|max|tax|cost|costs)(?: |$)|original|uvp|msrp|rrp|gesamt|total|razem|summ|versand|liefer|shipping|steuer|kosten|cost[eoi](?: |$)|custo|koszt|mindest|minimum|rabatt|discount|(?:^| )(?:was|save|saving|savings|statt|bisher|previous|instal[l]?ments?|monthly|parcelas?|cuotas?|rat[ay]|taksit)(?: |$)|monatlich|ersparnis|출고|정가|定価/,
)

const namesPrice = (column: string) =>
  resemblesColumn(withoutQualifiers(columnKey(column)), 'amount') && !OTHER_PRICE.test(columnKey(column))
const isAmount = (cell: string) => {
  const amount = parseAmount(cell)
  return !('problem' in amount) && amount.value > 0
}
/** An amount that cannot be a count, a size or a number of something. */
const isMoney = (cell: string) => {
  const amount = parseAmount(cell)
  return !('problem' in amount) && (amount.currency !== null || /[.,](?:\d\d|-)$/.test(cell))
}

const CENTS = /(?:^|[ .])(?:cents?|pence|minor(?: units?)?)$/

/** The only column of amounts that is named after a price among other words, such as `Kaina su PVM`, else the only one of money. */
function withPriceColumn(header: readonly string[], map: ColumnMap, cellsOf: CellsOf): ColumnMap {
  const { amount, cents } = recognisedNames(header, map)
  if (amount ?? cents ?? map.amount) return map
  const free = freeColumns(header, map)
  const named = free.filter((column) => namesPrice(column) && shareOf(cellsOf(column), isAmount) >= MIN_AMOUNT_SHARE)
  const money = free.filter(
    (column) => !OTHER_PRICE.test(columnKey(column)) && shareOf(cellsOf(column), isMoney) >= MIN_AMOUNT_SHARE,
  )
  const [only, ...others] = named.length > 0 ? named : money
  if (only === undefined || others.length > 0) return map
  return CENTS.test(columnKey(only)) ? { ...map, cents: only } : { ...map, amount: only }
}

const MIN_FILLED_SHARE = 0.5

/** Another price column if the usual one is mostly empty: few articles have a `Sale price` beside their `Regular price`. */
function preferFilledPrice(header: readonly string[], map: ColumnMap, cellsOf: CellsOf): ColumnMap {
  const { amount } = recognisedNames(header, map)
  const isFilled = (column: string) =>
    cellsOf(column).filter(isAmount).length >= cellsOf(column).length * MIN_FILLED_SHARE
  if (map.amount !== undefined || amount === undefined || isFilled(amount)) return map
  const prices = header.filter((column) => KEYS_BY_COLUMN.amount.includes(columnKey(column)))
  const filled = prices.find(isFilled)
  return filled === undefined ? map : { ...map, amount: filled }
}

const MIN_GRADE_SHARE = 0.6
const isGrade = (cell: string) => parseCondition(cell) !== undefined

/** A `state` of grades is a condition, not whether a listing is active. */
function withGradesAsState(header: readonly string[], map: ColumnMap, cellsOf: CellsOf): ColumnMap {
  const { condition, state } = recognisedNames(header, map)
  if (state === undefined || (condition ?? map.condition ?? map.state) !== undefined) return map
  const cells = cellsOf(state)
  const isCondition =
    shareOf(cells, isGrade) >= MIN_GRADE_SHARE &&
    shareOf(cells, (cell) => parseListingState(cell) !== undefined) < 1 - MIN_GRADE_SHARE
  return isCondition ? { ...map, condition: state, state: NO_COLUMN } : map
}

/** The only column of grades, whatever its name. */
function withGradeColumn(header: readonly string[], map: ColumnMap, cellsOf: CellsOf): ColumnMap {
  if (recognisedNames(header, map).condition ?? map.condition) return map
  const [only, ...others] = freeColumns(header, map).filter(
    (column) => shareOf(cellsOf(column), isGrade) >= MIN_GRADE_SHARE,
  )
  return only === undefined || others.length > 0 ? map : { ...map, condition: only }
}

/** Dates of the device or of the offer, not of the price. */
const OTHER_DATE = foldPattern(
  /release|launch|erschein|erstell|angelegt|creat|birth|geburt|warrant|garant|expir|valid|gultig|until|deliver|liefer|purchase|kauf|einkauf|achat|compra|(?:^| )due(?: |$)/,
)
const SALE_DATE = foldPattern(/sold|sale|verkauf|vente|vend|sprzeda|pardav|판매|販売|落札/)
/** A bare number may be a day of a spreadsheet, but also something else. */
const isDate = (cell: string) =>
  /\D/.test(cell) && (['dmy', 'mdy', 'ymd'] as const).some((order) => parseDate(cell, order) !== undefined)

/** The column of sale dates, else the only one whose name resembles a date, else the only one of dates. */
function withDateColumn(header: readonly string[], map: ColumnMap, cellsOf: CellsOf): ColumnMap {
  const { date, listedOn } = recognisedNames(header, map)
  if (date ?? listedOn ?? map.date ?? map.listedOn) return map
  const dates = freeColumns(header, map).filter(
    (column) => !OTHER_DATE.test(columnKey(column)) && shareOf(cellsOf(column), isDate) === 1,
  )
  const named = dates.filter((column) => resemblesColumn(column, 'date'))
  const sales = named.filter((column) => SALE_DATE.test(columnKey(column)))
  const [only, ...others] = sales.length > 0 ? sales : named.length > 0 ? named : dates
  return only === undefined || others.length > 0 ? map : { ...map, date: only }
}

const isCurrencyCode = (cell: string) => /^[A-Z]{3}$/.test(cell) && meaningOfSign(cell.toLowerCase()) !== undefined

/** The only column of currency codes, whatever its name. */
function withCurrencyColumn(header: readonly string[], map: ColumnMap, cellsOf: CellsOf): ColumnMap {
  if (recognisedNames(header, map).currency ?? map.currency) return map
  const [only, ...others] = freeColumns(header, map).filter((column) => shareOf(cellsOf(column), isCurrencyCode) === 1)
  return only === undefined || others.length > 0 ? map : { ...map, currency: only }
}

const BARE_MODEL = foldPattern(/^(?:mod(?:el|ell|ele|elo|ello|elis|el name|ellbezeichnung)|모델(?:명)?|модель)$/)
/** Share of rows whose title repeats the model. */
const MIN_REPEATED_SHARE = 0.5

/**
 * The map with the column of titles if the file has one beside its models: "Apple iPhone 13 128GB Blue" says more than
 * "iPhone 13".
 */
function preferTitles(header: readonly string[], map: ColumnMap, cellsOf: CellsOf): ColumnMap {
  if (map.model !== undefined) return map
  const mappedKeys = new Set(Object.values(map).map(columnKey))
  const [usual, ...others] = KEYS_BY_COLUMN.model.flatMap((key) =>
    header.filter((column) => columnKey(column) === key && !mappedKeys.has(key)),
  )
  if (usual === undefined || !BARE_MODEL.test(columnKey(usual))) return map
  const models = cellsOf(usual).map((model) => foldText(model).trim())
  const title = others.find((column) => {
    const repeated = cellsOf(column).filter((cell, row) => {
      const model = models[row] ?? ''
      const text = foldText(cell).trim()
      return model !== '' && text.includes(model) && text.length > model.length
    })
    return repeated.length / Math.max(1, models.length) >= MIN_REPEATED_SHARE
  })
  return title === undefined ? map : { ...map, model: title }
}

const MIN_SIZE_SHARE = 0.8
/** Columns of a file without a header. */
const UNNAMED = /^#\d+$/

/**
 * The map with the only column of storage sizes, whatever its name: a size that is overlooked would make every price one of
 * the smallest size. Bare numbers count where the name resembles storage.
 */
function withSizeColumn(header: readonly string[], map: ColumnMap, cellsOf: CellsOf): ColumnMap {
  const { storage, ram } = recognisedNames(header, map)
  if (storage ?? map.storage) return map
  const isSized = (column: string) => {
    const isNamed = UNNAMED.test(column) || resemblesColumn(column, 'storage')
    return shareOf(cellsOf(column), (cell) => isSizeCell(cell, isNamed)) >= MIN_SIZE_SHARE
  }
  const [only, ...others] = freeColumns(header, map).filter(isSized)
  if (only !== undefined && others.length === 0) return { ...map, storage: only }
  const isStorageAsMemory =
    ram !== undefined &&
    map.ram === undefined &&
    shareOf(cellsOf(ram), (cell) => readSizePair(cell) !== null || (gigabytesFromText(cell) ?? 0) >= MIN_STORAGE_GB) >=
      MIN_SIZE_SHARE
  return isStorageAsMemory ? { ...map, storage: ram, ram: NO_COLUMN } : map
}

/** No device has that much memory, except workstations. */
const MIN_STORAGE_GB = 64

/** The map with a column that says of each row whether it was sold: a price that nobody paid is an asking price. */
function withSoldColumn(header: readonly string[], map: ColumnMap, cellsOf: CellsOf): ColumnMap {
  const keys = header.map(columnKey)
  const isStated = (['side', 'state'] as const).some(
    (column) => map[column] !== undefined || KEYS_BY_COLUMN[column].some((key) => keys.includes(key)),
  )
  const sold = header.find((column) => {
    const cells = cellsOf(column).filter(Boolean)
    return isSoldColumn(column) && cells.length > 0 && cells.every((cell) => stateFromAnswer(cell))
  })
  return isStated || sold === undefined ? map : { ...map, state: sold }
}
