import type { Language } from '../contract/languages.ts'
import { BYTE_ORDER_MARK, type CsvStyle, csvStyleOf, formatCsvLine } from '../lib/csv-writer.ts'
import { SHEET_NAMESPACES, type SheetTexts } from '../lib/sheet-texts.ts'
import { translator } from '../lib/translations.ts'

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
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Request-Id': requestId,
    },
  })
}

function toStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      // The database may return rows without yielding to the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}
