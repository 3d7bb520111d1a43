/** Tables of web pages: many programs write such a page when they export "Excel" files. */
import { reason } from '../../lib/reasons.ts'
import type { TableRow } from '../../tables/table-row.ts'
import { MAX_DOCUMENT_BYTES } from './limits.ts'
import { filledRows } from './sheet-cells.ts'
import { unreadableFile } from './unreadable-file.ts'

export const isHtmlTable = (head: string) => /^\s*</.test(head) && /<table[\s>]/i.test(head)

/** Names that the parser does not know. */
const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', euro: '€', pound: '£', yen: '¥', cent: '¢' }

/** The rows of all tables. The library is loaded when it is first needed. */
export async function* readHtmlBlocks(text: AsyncIterable<string>, name: string): AsyncGenerator<readonly TableRow[]> {
  const document = (await readDocument(text, name))
    .replace(/&([a-z]+);/g, (entity, key: string) => ENTITIES[key] ?? entity)
    .replace(/<br\s*\/?>/gi, ' ')
  const { fromHtml } = await import('hucre')
  yield filledRows(fromHtml(document, { typeInference: false, classes: false }))
}

/** The whole text of a file that cannot be read in parts. */
export async function readDocument(text: AsyncIterable<string>, name: string): Promise<string> {
  let document = ''
  for await (const piece of text) {
    document += piece
    if (document.length > MAX_DOCUMENT_BYTES)
      throw unreadableFile(`${name} is too large.`, reason('file_too_large', { name }))
  }
  return document
}
