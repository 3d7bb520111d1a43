import { join } from 'node:path'

/** The command that starts this program again, from source or as the one-file executable. */
export function selfCommand(...args: string[]): string[] {
  const isCompiled = import.meta.dir.startsWith('/$bunfs/')
  return isCompiled
    ? [process.execPath, ...args]
    : [process.execPath, '--no-env-file', join(import.meta.dir, '../main.ts'), ...args]
}

const TAIL_CHARS = 4_000

/** Only the end of the output is kept, because a list with many rejected rows prints much. */
export async function readTail(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let tail = ''
  for await (const chunk of stream) tail = (tail + decoder.decode(chunk, { stream: true })).slice(-TAIL_CHARS)
  return tail
}
