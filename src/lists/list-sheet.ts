/** A device list as a spreadsheet: the columns of the supplier, then the results. */
import { sheetHeader, sheetRow } from '../appraisal/appraisal-sheet.ts'
import type { DeviceListRowWire } from '../contract/device-lists.ts'
import type { Language } from '../contract/languages.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'
import { reasonSentence } from '../lib/error-sentence.ts'
import type { SheetCell, SheetTexts } from '../lib/sheet-texts.ts'
import type { RowQuestion } from './device-list-row.ts'
import type { DeviceList } from './device-list-store.ts'
import { profitAtAsking } from './row-outcome.ts'

export const questionText = (t: SheetTexts, { code, column, words }: RowQuestion): string =>
  t(`appraise-list:question.${code}`, { words, field: t(`appraise-list:field.${column}`) })

/** Why a row could not be appraised; null if it could. */
export function rowErrorText(
  t: SheetTexts,
  language: Language,
  { error, reason_code, params }: Pick<DeviceListRowWire, 'error' | 'reason_code' | 'params'>,
): string | null {
  if (error === null) return null
  return reasonSentence(t as never, language, { message: error, reason_code, params }) ?? t('errors:technical')
}

/** With prices of a supplier also what they bring. */
export function createListSheet(
  { header, columns }: Pick<DeviceList, 'header' | 'columns'>,
  t: SheetTexts,
  language: Language,
) {
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
      rowErrorText(t, language, row),
      (row.is_settled ? [] : row.questions).map((question) => questionText(t, question)).join('; ') || null,
      ...askingCells(row),
      ...(row.appraisal ? sheetRow(row.appraisal, t, language) : results.map(() => null)),
    ],
  }
}
