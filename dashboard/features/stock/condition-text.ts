import i18next from 'i18next'
import type { StockItemWire } from '../../../src/contract/stock.ts'
import { codeTexts } from '../../codes.ts'

/** The grade of a device, or its faults; empty if neither is known. */
export function conditionText({ grade, defects }: Pick<StockItemWire, 'grade' | 'defects'>): string {
  const codes = codeTexts()
  if (defects.length > 0) {
    return i18next.t('stock:faulty', { faults: defects.map((code) => codes.defect(code, null).name).join(', ') })
  }
  return grade ? codes.gradeName(grade) : ''
}
