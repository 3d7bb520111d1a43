/** `import rates FILE`: exchange rates by day, for prices in other currencies. */
import { BASE_CURRENCY } from '../../contract/currency.ts'
import { exchangeRateStore } from '../../currency/exchange-rate-store.ts'
import type { ImportedRate } from '../../currency/rate-lookup.ts'
import type { Tx } from '../../db/database.ts'
import { reason } from '../../lib/reasons.ts'
import { dayOf, isDay } from '../../lib/time.ts'
import { type Schema, shareOf } from '../../tables/assign-columns.ts'
import { parseDate } from '../../tables/date.ts'
import { fits } from '../../tables/fields.ts'
import { type ImportContext, type Importer, importStoppedBeforeWriting } from '../importer.ts'
import { type ByteSource, withRepeatableSource } from '../read/byte-source-service.ts'
import { decodeText } from '../read/encoding.ts'
import { peekStream } from '../read/peek.ts'
import { readTableRecords } from '../read/table-records.ts'
import { unreadableFile } from '../read/unreadable-file.ts'
import { writeInSteps } from '../step-writer-service.ts'
import { isEcbDocument, parseEcbRates } from './ecb-rates.ts'

/** All reference rates since 1999 are 8 MB of XML. */
const MAX_XML_CHARS = 32_000_000

const RATE_COLUMNS: Schema<'currency' | 'day' | 'usd'> = {
  fields: [
    { name: 'currency', words: ['currency'], fit: (column) => shareOf(column, isCode) },
    { name: 'day', words: ['date'], fit: (column) => fits.date(column) },
    { name: 'usd', words: ['usdRate'], fit: fits.amount },
  ],
  decoys: [],
}

export const ratesImporter: Importer = {
  format: 'rates',
  help: 'exchange rates: CSV with currency, day and usd (US dollars for one unit), or XML of the European Central Bank',
  run: (input, context) =>
    withRepeatableSource(input, async (source) => {
      const { db, dryRun, signal } = context
      const { head, text } = await peekStream(decodeText(source, context.notify), 1)
      const isXml = isEcbDocument(head)
      if (!isXml) await text.return(undefined)
      const { rows, rates } = isXml ? await readXml(text, source.name) : await readCsv(source, context)
      if (!dryRun) {
        const inLastTransaction = (tx: Tx) => db.announceChange(tx, 'rates')
        await writeInSteps(db, rates, exchangeRateStore(db).write, { inLastTransaction, signal })
      }
      return { rows, rates: rates.length, currencies: new Set(rates.map(({ currency }) => currency)).size }
    }),
}

const isCode = (cell: string) => /^[A-Z]{3}$/i.test(cell)

async function readXml(text: AsyncIterable<string>, name: string) {
  let xml = ''
  for await (const piece of text) {
    xml += piece
    if (xml.length > MAX_XML_CHARS)
      throw unreadableFile(`${name} is too large for a list of exchange rates.`, reason('file_too_large', { name }))
  }
  const rates = parseEcbRates(xml, name)
  return { rows: rates.length, rates }
}

async function readCsv(source: ByteSource, { report, progress, notify, signal }: ImportContext) {
  let rows = 0
  const rates = new Map<string, ImportedRate>()
  for await (const { line, cell } of readTableRecords(source, notify, RATE_COLUMNS, ['currency', 'day', 'usd'])) {
    progress.at(++rows, source.readBytes(), source.totalBytes)
    const currency = cell('currency').toUpperCase()
    const at = parseDate(cell('day'))
    const day = at === undefined ? cell('day') : dayOf(at)
    const usd = Number(cell('usd') || Number.NaN)
    if (!/^[A-Z]{3}$/.test(currency)) report.reject(line, 'currency_not_a_code', currency)
    else if (currency === BASE_CURRENCY) report.reject(line, 'dollar_rate', currency)
    else if (!isDay(day)) report.reject(line, 'day_invalid', day)
    else if (!(usd > 0 && usd < 100_000)) report.reject(line, 'rate_not_positive', String(usd))
    else rates.set(`${currency} ${day}`, { currency, day, usd })
    if (signal.aborted) throw importStoppedBeforeWriting()
  }
  return { rows, rates: [...rates.values()] }
}
