import { formatCsvLine } from '../lib/csv-writer.ts'

/** Records are put into lines so many at a time, and others get their turn between: a large one takes a tenth of a millisecond. */
const LINES_PER_CHUNK = 25

/** The lines of a file: its header, then one for each record, a few at a time. */
export async function* csvLines(
  header: readonly string[],
  records: AsyncIterable<readonly string[]>,
  cellsOf: (record: string) => readonly string[],
): AsyncGenerator<string> {
  yield formatCsvLine(header)
  for await (const some of records) {
    for (let at = 0; at < some.length; at += LINES_PER_CHUNK) {
      yield some
        .slice(at, at + LINES_PER_CHUNK)
        .map((record) => formatCsvLine(cellsOf(record)))
        .join('')
    }
  }
}

/** A file for a spreadsheet, written as it is read, so that its size is bounded by neither memory nor patience. */
export function csvResponse(name: string, lines: AsyncGenerator<string>, requestId: string): Response {
  return new Response(streamOf(lines), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Request-Id': requestId,
    },
  })
}

function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      // The store may answer without a pause; everybody else gets one here.
      await new Promise((turn) => setImmediate(turn))
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}
