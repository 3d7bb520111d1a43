/** Reads the beginning of a stream; the returned `text` still yields the whole stream. */
export async function peekStream(
  text: AsyncIterable<string>,
  chars: number,
): Promise<{ head: string; text: AsyncGenerator<string> }> {
  const pieces = text[Symbol.asyncIterator]()
  let head = ''
  while (head.length < chars) {
    const next = await pieces.next()
    if (next.done) break
    head += next.value
  }
  async function* whole() {
    try {
      if (head) yield head
      for (;;) {
        const next = await pieces.next()
        if (next.done) return
        yield next.value
      }
    } finally {
      await pieces.return?.()
    }
  }
  return { head, text: whole() }
}
