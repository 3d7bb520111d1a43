/** `import rates FILE`: what a unit of a currency was worth in US dollars, by day. Prices are converted with these alone. */
import { isDay } from '../../lib/time.ts'
import { type Importer, importStoppedBeforeWriting } from '../importer.ts'
import { readTableRecords } from '../read/table-records.ts'
import { writeInSteps } from '../step-writer-service.ts'
import { type UsdRate, writeRates } from './rate-store.ts'

export const ratesImporter: Importer = {
  format: 'rates',
  help: 'exchange rates: CSV with currency, day and usd (US dollars for one unit), for prices in other currencies',
  async run(source, { db, dryRun, report, progress, notify: note, signal }) {
    let read = 0
    const rates = new Map<string, UsdRate>()
    for await (const { line, cell: at } of readTableRecords(source, note, ['currency', 'day', 'usd'])) {
      progress.at(++read, source.readBytes(), source.totalBytes)
      const currency = at('currency').toUpperCase()
      const day = at('day')
      const usd = Number(at('usd') || Number.NaN)
      if (!/^[A-Z]{3}$/.test(currency)) report.reject(line, 'currency is not three letters', currency)
      else if (currency === 'USD') report.reject(line, 'a dollar is always a dollar', currency)
      else if (!isDay(day)) report.reject(line, 'day is not YYYY-MM-DD', day)
      else if (!(usd > 0 && usd < 100_000)) report.reject(line, 'usd is not a positive number', String(usd))
      else rates.set(`${currency} ${day}`, { currency, day, usd })
      if (signal.aborted) throw importStoppedBeforeWriting()
    }
    const rows = [...rates.values()]
    if (!dryRun) {
      const finish = async () => {}
      await writeInSteps(db, rows, (tx, step) => writeRates(db, tx, step), { inLastTransaction: finish, signal })
    }
    return { rows: read, rates: rows.length, currencies: new Set(rows.map(({ currency }) => currency)).size }
  },
}
