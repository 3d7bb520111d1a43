import { XLSX_TYPE } from '../contract/csv-format.ts'
import type { Language } from '../contract/languages.ts'
import { BYTE_ORDER_MARK, type CsvStyle, csvStyleOf, formatCsvLine } from '../lib/csv-writer.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { SHEET_NAMESPACES, type SheetCell, type SheetTexts } from '../lib/sheet-texts.ts'
import { translator } from '../lib/translations.ts'
import { NOT_STORED } from './browser-headers.ts'

/** Records per chunk; the event loop runs in between, because a large record takes 0.1 ms. */
const LINES_PER_CHUNK = 25

/** Texts and separators of a file in one language. */
export function csvTexts(language: Language): { readonly t: SheetTexts; readonly style: CsvStyle } {
  return { t: translator(language, SHEET_NAMESPACES), style: csvStyleOf(language) }
}

/** The lines of the file: the header, then one per record. */
export async function* csvLines<Item>(
  header: readonly string[],
  batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  toCells: (item: Item) => readonly (string | number)[],
  style: CsvStyle,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + formatCsvLine(header, style)
  for await (const batch of batches) {
    for (let start = 0; start < batch.length; start += LINES_PER_CHUNK) {
      yield batch
        .slice(start, start + LINES_PER_CHUNK)
        .map((item) => formatCsvLine(toCells(item), style))
        .join('')
    }
  }
}

/** Streams a CSV file, so that its size is not bounded by memory. */
export function csvResponse(name: string, lines: AsyncGenerator<string>, requestId: string): Response {
  return new Response(toStream(lines), {
    headers: fileHeaders(name, 'text/csv; charset=utf-8', requestId),
  })
}

/** Columns of a spreadsheet are at least and at most this wide, in letters. */
const COLUMN_WIDTH = { min: 10, max: 40 }

/** Loading it takes longer than a request may hold the event loop, so a service does so right after its start. */
export const loadXlsxWriter = () => import('hucre/xlsx')

/** Streams a spreadsheet of one sheet. The first batch decides how wide its columns are. */
export async function xlsxResponse(
  name: string,
  header: readonly string[],
  batches: AsyncGenerator<readonly (readonly SheetCell[])[]>,
  requestId: string,
): Promise<Response> {
  const { writeXlsxStream } = await loadXlsxWriter()
  const first = await batches.next()
  const sample = [header, ...(first.done ? [] : first.value)]
  async function* rows() {
    yield [...header]
    for (let batch = first; !batch.done; batch = await batches.next()) {
      for (const [at, cells] of batch.value.entries()) {
        if (at % LINES_PER_CHUNK === 0) await yieldToEventLoop()
        yield [...cells]
      }
    }
  }
  const columns = header.map((_, at) => {
    const longest = Math.max(...sample.map((cells) => String(cells[at] ?? '').length))
    return { width: Math.min(COLUMN_WIDTH.max, Math.max(COLUMN_WIDTH.min, longest + 2)) }
  })
  const sheet = writeXlsxStream(rows(), { name: name.slice(0, 31), columns, freezePane: { rows: 1 } })
  return new Response(sheet, { headers: fileHeaders(`${name}.xlsx`, XLSX_TYPE, requestId) })
}

/** A name with other letters than those of ASCII is sent as RFC 5987 says, too. */
function fileHeaders(name: string, type: string, requestId: string) {
  const plain = name.replace(/[^\w .()-]/g, '_')
  const encoded = encodeURIComponent(name.replace(/[/\\\p{Cc}]/gu, '_')).replaceAll("'", '%27')
  return {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`,
    'X-Request-Id': requestId,
    // A list of customers does not stay on a shared computer.
    'Cache-Control': NOT_STORED,
  }
}

function toStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      // The database may return rows without yielding to the event loop.
      await yieldToEventLoop()
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}
