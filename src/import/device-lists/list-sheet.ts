/** A device list as a spreadsheet: the columns of the supplier, then the results. */
import { sheetHeader, sheetRow } from '../../appraisal/appraisal-sheet.ts'
import type { DeviceListRowWire } from '../../contract/device-lists.ts'
import { minorUnitDigits } from '../../currency/minor-units.ts'
import type { SheetCell, SheetTexts } from '../../lib/sheet-texts.ts'
import type { RowQuestion } from './device-list-row.ts'
import type { DeviceList } from './device-list-store.ts'
import { profitAtAsking } from './row-outcome.ts'

export const questionText = (t: SheetTexts, { code, column, words }: RowQuestion): string =>
  t(`appraise-list:question.${code}`, { words, field: t(`appraise-list:field.${column}`) })

/** With prices of a supplier also what they bring. */
export function createListSheet({ header, columns }: Pick<DeviceList, 'header' | 'columns'>, t: SheetTexts) {
  const isAsked = columns.includes('asking_price')
  const results = sheetHeader(t)

  function askingCells({ appraisal, asking_amount: amount }: DeviceListRowWire): SheetCell[] {
    if (!isAsked) return []
    if (!appraisal) return [null, null]
    const perUnit = 10 ** minorUnitDigits(appraisal.currency)
    const profit = profitAtAsking(appraisal, amount)
    return [amount === null ? null : amount / perUnit, profit === null ? null : profit / perUnit]
  }

  return {
    header: [
      ...header,
      t('sheet:column.line'),
      t('sheet:column.error'),
      t('sheet:column.questions'),
      ...(isAsked ? [t('sheet:column.askingPrice'), t('sheet:column.profitAtAsking')] : []),
      ...results,
    ],
    rowOf: (row: DeviceListRowWire): SheetCell[] => [
      ...header.map((_, at) => row.cells[at] ?? ''),
      row.line,
      row.error,
      (row.is_settled ? [] : row.questions).map((question) => questionText(t, question)).join('; ') || null,
      ...askingCells(row),
      ...(row.appraisal ? sheetRow(row.appraisal, t) : results.map(() => null)),
    ],
  }
}
