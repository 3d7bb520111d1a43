/** The form of a column's name in which names are compared. */
import { foldText } from '../lib/fold-text.ts'

/**
 * `Reporting Date`, `reporting_date`, `reportingDate` and `REPORTING-DATE` are one column; `Preis (€)` is `preis €`,
 * `Serien-Nr.:` is `serien nr`, `P.V.P.` is `pvp`.
 */
export function columnKey(name: string): string {
  return foldText(name.replaceAll('MwSt', 'Mwst').replace(/([a-z0-9])([A-Z])/g, '$1 $2'))
    .replace(/(?<![\p{L}\d])(?:\p{L}\.){2,}/gu, (letters) => letters.replaceAll('.', ''))
    .replace(/[.:*]+(?=[\s_()-]|$)/g, ' ')
    .replace(/[\s_()-]+/g, ' ')
    .trim()
}

/** `IMEI / Serial` is also `imei`, `Akku (in %)` is also `akku`. */
export const shortColumnKey = (name: string) => columnKey(name.split(/[/(|,[]/, 1)[0] ?? '')
