/** Finds the header of a price list among its first lines, by names, by the cells below, or none at all. */

import { parseAmount } from '../../tables/amount.ts'
import { findHeaderLine, MAX_HEADER_LINES } from '../../tables/table-lines.ts'
import type { TableRow } from '../../tables/table-row.ts'
import { cellText } from '../read/header.ts'
import { recogniseByCells } from './columns-by-cells.ts'
import { type ColumnMap, detectColumns } from './price-columns.ts'

export type ColumnRules = {
  /** False where the operator names the device of all rows. */
  readonly needsModel?: boolean
  /** Whether the name of the file names the device of all rows; asked only if no column does. */
  readonly isDeviceInName?: () => boolean
  /** Whether a text names a device of the catalogue. */
  readonly namesDevice?: (text: string) => boolean
}

export type PriceHeader = {
  /** Position of the header; −1 if the list has none. */
  readonly index: number
  /** Position of the first row. */
  readonly firstRow: number
  readonly titles: readonly string[]
  /** The map with the columns that their cells tell. */
  readonly map: ColumnMap
  readonly rules: ColumnRules
}

/** Rows by whose cells columns are recognised. */
export const EXAMPLE_ROWS = 50
export const NO_DEVICE_COLUMN: ColumnRules = { needsModel: false }

export function findPriceHeader(rows: readonly TableRow[], map: ColumnMap, rules: ColumnRules): PriceHeader {
  const headerAt = (index: number, used = rules): PriceHeader => {
    const below = rows.slice(index + 1)
    const titles = rows[index]?.fields ?? []
    return { index, firstRow: index + 1, titles, map: mapByCells(titles, below), rules: used }
  }
  const mapByCells = (titles: readonly string[], below: readonly TableRow[]) => {
    const samples = below.slice(0, EXAMPLE_ROWS)
    const cellsOf = (column: string) => samples.map(({ fields }) => cellText(fields, titles.indexOf(column)))
    return recogniseByCells(titles, map, cellsOf, rules.namesDevice)
  }
  const findByNames = (used: ColumnRules) => findHeaderLine(rows, (fields) => (isPriceList(fields, map, used) ? 1 : 0))

  const named = findByNames(rules)
  if (named >= 0) return headerAt(named)
  const dataLine = rules.namesDevice ? findDataLine(rows, rules.namesDevice) : -1
  for (let index = 0; index < dataLine; index++) {
    const header = headerAt(index)
    if (isPriceList(header.titles, header.map, rules)) return header
  }
  const withoutDevice = findByNames(NO_DEVICE_COLUMN)
  if (withoutDevice >= 0 && rules.isDeviceInName?.()) return headerAt(withoutDevice, NO_DEVICE_COLUMN)
  if (dataLine >= 0 && !rows.slice(0, dataLine).some(({ fields }) => fields.filter(Boolean).length > 1)) {
    const titles = Array.from(rows[dataLine]?.fields ?? [], (_, at) => `#${at + 1}`)
    return { index: -1, firstRow: dataLine, titles, map: mapByCells(titles, rows.slice(dataLine)), rules }
  }
  return headerAt(Math.max(0, firstOfCommonWidth(rows)))
}

export function isPriceList(columns: readonly string[], map: ColumnMap, rules: ColumnRules): boolean {
  try {
    detectColumns(columns, map, '', rules)
    return true
  } catch {
    return false
  }
}

/** The first line with a device and an amount; −1 if none of the first lines has both. */
function findDataLine(rows: readonly TableRow[], namesDevice: (text: string) => boolean): number {
  return rows.slice(0, MAX_HEADER_LINES).findIndex(({ fields }) => {
    const device = fields.findIndex((cell) => /\p{L}/u.test(cell) && namesDevice(cell.trim()))
    return device >= 0 && fields.some((cell, at) => at !== device && !('problem' in parseAmount(cell)))
  })
}

/** The first line of the most common width, so that columns can be assigned. */
function firstOfCommonWidth(rows: readonly TableRow[]): number {
  const widths = Map.groupBy(rows.slice(0, EXAMPLE_ROWS), ({ fields }) => fields.length)
  const [width] = [...widths].reduce((largest, group) => (group[1].length > largest[1].length ? group : largest))
  return findHeaderLine(rows, ({ length }) => (length === width ? 1 : 0))
}
