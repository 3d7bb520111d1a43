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
