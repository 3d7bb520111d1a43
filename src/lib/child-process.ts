import { join } from 'node:path'

/** How this very program is started again, from source or as the one-file executable. */
export function selfCommand(...args: string[]): string[] {
  const isCompiled = import.meta.dir.startsWith('/$bunfs/')
  return isCompiled
    ? [process.execPath, ...args]
    : [process.execPath, '--no-env-file', join(import.meta.dir, '../main.ts'), ...args]
}

const TAIL_CHARS = 4_000

/** The last of what it says: of a list with many rejected rows it says much. */
export async function readTail(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let kept = ''
  for await (const chunk of stream) kept = (kept + decoder.decode(chunk, { stream: true })).slice(-TAIL_CHARS)
  return kept
}
