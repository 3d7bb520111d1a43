/** The lines of a table, which may also be written as a web page or as JSON: a list of objects, also within others, or one object per line. */
import { reason } from '../../lib/reasons.ts'
import type { TableRow } from '../../tables/table-row.ts'
import { readCsvBlocks } from './csv-reader.ts'
import { isHtmlTable, readDocument, readHtmlBlocks } from './html-table.ts'
import { peekStream } from './peek.ts'
import { unreadableFile } from './unreadable-file.ts'

/** Enough to find the first table of a web page. */
const PEEK_CHARS = 64 * 1024

export async function* readTableBlocks(text: AsyncIterable<string>, name: string): AsyncGenerator<readonly TableRow[]> {
  const { head, text: whole } = await peekStream(text, PEEK_CHARS)
  if (isHtmlTable(head)) yield* readHtmlBlocks(whole, name)
  else if (!/^\s*(?:\{|\[\s*\{)/.test(head)) yield* readCsvBlocks(whole, name)
  else yield toLines(findObjects(parseJson(await readDocument(whole, name), name)))
}

function parseJson(document: string, name: string): unknown {
  try {
    return JSON.parse(document)
  } catch {
    // One object per line, or no JSON at all.
  }
  try {
    return document.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]))
  } catch (cause) {
    throw unreadableFile(`${name} is not JSON: ${(cause as Error).message}.`, reason('file_not_json', { name }), cause)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first list of objects in a document; a single object is a list of one. */
function findObjects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.filter(isObject)
  if (!isObject(value)) return []
  for (const member of Object.values(value)) {
    const objects = Array.isArray(member) || isObject(member) ? findObjects(member) : []
    if (Array.isArray(member) ? objects.length > 0 : objects.length > 1) return objects
  }
  return [value]
}

/** A line of titles, and a line per object. Members of inner objects are columns of their own. */
function toLines(objects: readonly Readonly<Record<string, unknown>>[]): TableRow[] {
  const flat = objects.map(flatten)
  const titles = [...new Set(flat.flatMap((object) => [...object.keys()]))]
  const rows = flat.map((object) => titles.map((title) => object.get(title) ?? ''))
  return [titles, ...rows].map((fields, at) => ({ line: at + 1, fields }))
}

function flatten(object: Readonly<Record<string, unknown>>): Map<string, string> {
  const cells = new Map<string, string>()
  const add = (title: string, value: unknown) => {
    if (isObject(value))
      for (const [key, inner] of Object.entries(value)) add(cells.has(key) ? `${title} ${key}` : key, inner)
    else if (Array.isArray(value)) cells.set(title, value.filter((item) => !isObject(item)).join(', '))
    else if (value !== null && value !== undefined) cells.set(title, String(value))
  }
  for (const [key, value] of Object.entries(object)) add(key, value)
  return cells
}
