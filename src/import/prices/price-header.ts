/** Finds the header of a price list among its first lines, by names, by the cells below, or none at all. */

import { parseAmount } from '../../tables/amount.ts'
import { type DeviceOf, sampled } from '../../tables/fields.ts'
import { findHeaderLine, MAX_HEADER_LINES } from '../../tables/table-lines.ts'
import type { TableRow } from '../../tables/table-row.ts'
import { cellText } from '../read/header.ts'
import { type ColumnMap, type ColumnRules, detectColumns, UnrecognisedColumnsError } from './price-columns.ts'

type CellsOf = (at: number) => readonly string[]

export type PriceHeader = {
  /** Position of the header; −1 if the list has none. */
  readonly index: number
  /** Position of the first row. */
  readonly firstRow: number
  readonly titles: readonly string[]
  /** Cells of a column in the first rows. */
  readonly cellsOf: CellsOf
  readonly rules: ColumnRules
}

/** Rows by whose cells columns are recognised. */
const EXAMPLE_ROWS = 500
const SAMPLED_ROWS = 150
export const NO_DEVICE_COLUMN: ColumnRules = { needsModel: false }

export function findPriceHeader(rows: readonly TableRow[], map: ColumnMap, rules: ColumnRules): PriceHeader {
  const headerAt = (index: number, used = rules): PriceHeader => {
    const titles = rows[index]?.fields ?? []
    return { index, firstRow: index + 1, titles, cellsOf: cellsBelow(index + 1), rules: used }
  }
  const cellsBelow = (from: number): CellsOf => {
    const samples = sampled(rows.slice(from, from + EXAMPLE_ROWS), SAMPLED_ROWS)
    return (at) => samples.map(({ fields }) => cellText(fields, at))
  }
  // A line of groups above the header, such as `Article, , Price`, names fewer columns.
  const findByNames = (used: ColumnRules) => findHeaderLine(rows, (fields) => namedColumns(fields, map, used))

  const named = findByNames(rules)
  if (named >= 0) return headerAt(named)
  const dataLine = rules.deviceOf ? findDataLine(rows, rules.deviceOf) : -1
  for (let index = 0; index < dataLine; index++) {
    const header = headerAt(index)
    if (isPriceList(header.titles, map, rules, header.cellsOf)) return header
  }
  const withoutDevice = findByNames(NO_DEVICE_COLUMN)
  if (withoutDevice >= 0 && rules.isDeviceInName?.()) return headerAt(withoutDevice, NO_DEVICE_COLUMN)
  if (dataLine >= 0 && !rows.slice(0, dataLine).some(({ fields }) => fields.filter(Boolean).length > 1)) {
    const titles = Array.from(rows[dataLine]?.fields ?? [], (_, at) => `#${at + 1}`)
    return { index: -1, firstRow: dataLine, titles, cellsOf: cellsBelow(dataLine), rules }
  }
  return headerAt(Math.max(0, firstOfCommonWidth(rows)))
}

export function isPriceList(
  columns: readonly string[],
  map: ColumnMap,
  rules: ColumnRules,
  cellsOf?: CellsOf,
): boolean {
  try {
    detectColumns(columns, map, '', rules, cellsOf)
    return true
  } catch (error) {
    return error instanceof UnrecognisedColumnsError && error.isDoubt
  }
}

/** The number of columns that the titles of a price list name; 0 if they do not make one. */
function namedColumns(titles: readonly string[], map: ColumnMap, rules: ColumnRules): number {
  try {
    return Object.keys(detectColumns(titles, map, '', rules).names).length
  } catch (error) {
    return error instanceof UnrecognisedColumnsError && error.isDoubt ? 1 : 0
  }
}

/** The first line with a device and an amount; −1 if none of the first lines has both. */
function findDataLine(rows: readonly TableRow[], deviceOf: DeviceOf): number {
  return rows.slice(0, MAX_HEADER_LINES).findIndex(({ fields }) => {
    const device = fields.findIndex((cell) => /\p{L}/u.test(cell) && deviceOf(cell.trim()) !== null)
    return device >= 0 && fields.some((cell, at) => at !== device && !('problem' in parseAmount(cell)))
  })
}

/** The first line of the most common width, so that columns can be assigned. */
function firstOfCommonWidth(rows: readonly TableRow[]): number {
  const widths = Map.groupBy(rows.slice(0, EXAMPLE_ROWS), ({ fields }) => fields.length)
  const [width] = [...widths].reduce((largest, group) => (group[1].length > largest[1].length ? group : largest))
  return findHeaderLine(rows, ({ length }) => (length === width ? 1 : 0))
}
