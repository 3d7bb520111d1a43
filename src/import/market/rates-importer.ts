/** `import rates FILE`: what a unit of a currency was worth in US dollars, by day. Prices are converted with these alone. */
import { type Importer, stoppedBeforeWriting } from '../importer.ts'
import { readRows } from '../read/csv.ts'
import { readText } from '../read/encoding.ts'
import { cell, type Header, missingColumns, readHeader } from '../read/header.ts'
import { unreadable } from '../read/unreadable.ts'
import { writeInSteps } from '../steps.ts'
import { isDay } from './observation-row.ts'

const NEEDED = ['currency', 'day', 'usd']

export const ratesImporter: Importer = {
  format: 'rates',
  help: 'exchange rates: CSV with currency, day and usd (US dollars for one unit), for prices in other currencies',
  async run(source, { db, dryRun, report, progress, note, signal }) {
    let header: Header | undefined
    let read = 0
    const rates = new Map<string, { currency: string; day: string; usd: number }>()
    for await (const row of readRows(readText(source, note), source.name)) {
      if (!header) {
        header = readHeader(row.fields)
        if (!header.has(...NEEDED)) throw missingColumns(source.name, header, NEEDED)
        continue
      }
      progress.at(++read, source.readBytes(), source.totalBytes)
      const currency = cell(row.fields, header.find('currency')).toUpperCase()
      const day = cell(row.fields, header.find('day'))
      const usd = Number(cell(row.fields, header.find('usd')) || Number.NaN)
      if (!/^[A-Z]{3}$/.test(currency)) report.reject(row.line, 'currency is not three letters', currency)
      else if (currency === 'USD') report.reject(row.line, 'a dollar is always a dollar', currency)
      else if (!isDay(day)) report.reject(row.line, 'day is not YYYY-MM-DD', day)
      else if (!(usd > 0 && usd < 100_000)) report.reject(row.line, 'usd is not a positive number', String(usd))
      else rates.set(`${currency} ${day}`, { currency, day, usd })
      if (signal.aborted) throw stoppedBeforeWriting()
    }
    if (!header) throw unreadable(`${source.name} is empty.`)
    const rows = [...rates.values()]
    if (!dryRun) {
      await writeInSteps(
        db,
        rows,
        (tx, step) => db.insertMany(tx, 'exchange_rate', step, { conflict: ['currency', 'day'] }),
        { finish: async () => {}, signal },
      )
    }
    return { rows: read, rates: rows.length, currencies: new Set(rows.map(({ currency }) => currency)).size }
  },
}
