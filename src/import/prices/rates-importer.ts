/** `import rates FILE`: exchange rates by day, for prices in other currencies. */
import { BASE_CURRENCY } from '../../contract/currency.ts'
import { exchangeRateStore } from '../../currency/exchange-rate-store.ts'
import type { ImportedRate } from '../../currency/rate-lookup.ts'
import type { Tx } from '../../db/database.ts'
import { isDay } from '../../lib/time.ts'
import { type Importer, importStoppedBeforeWriting } from '../importer.ts'
import { readTableRecords } from '../read/table-records.ts'
import { writeInSteps } from '../step-writer-service.ts'

export const ratesImporter: Importer = {
  format: 'rates',
  help: 'exchange rates: CSV with currency, day and usd (US dollars for one unit), for prices in other currencies',
  async run(source, { db, dryRun, report, progress, notify, signal }) {
    let read = 0
    const rates = new Map<string, ImportedRate>()
    for await (const { line, cell } of readTableRecords(source, notify, ['currency', 'day', 'usd'])) {
      progress.at(++read, source.readBytes(), source.totalBytes)
      const currency = cell('currency').toUpperCase()
      const day = cell('day')
      const usd = Number(cell('usd') || Number.NaN)
      if (!/^[A-Z]{3}$/.test(currency)) report.reject(line, 'currency is not three letters', currency)
      else if (currency === BASE_CURRENCY) report.reject(line, 'US dollars need no rate', currency)
      else if (!isDay(day)) report.reject(line, 'day is not YYYY-MM-DD', day)
      else if (!(usd > 0 && usd < 100_000)) report.reject(line, 'usd is not a positive number', String(usd))
      else rates.set(`${currency} ${day}`, { currency, day, usd })
      if (signal.aborted) throw importStoppedBeforeWriting()
    }
    const rows = [...rates.values()]
    if (!dryRun) {
      const inLastTransaction = (tx: Tx) => db.announceChange(tx, 'rates').then(() => {})
      await writeInSteps(db, rows, exchangeRateStore(db).write, { inLastTransaction, signal })
    }
    return { rows: read, rates: rows.length, currencies: new Set(rows.map(({ currency }) => currency)).size }
  },
}
