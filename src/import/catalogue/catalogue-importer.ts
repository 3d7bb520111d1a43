/** `import catalogue FILE`: devices as a table, as JSON records, or as a family table like those of the bundled catalogue. */
import type * as z from 'zod'
import { FamilyTableError, familyDeviceSchema } from '../../catalog/family-table.ts'
import { type DomainError, excerpt } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import type { ImportContext, Importer } from '../importer.ts'
import type { ByteSource } from '../read/byte-source-service.ts'
import { decodeText } from '../read/encoding.ts'
import { readJsonItems } from '../read/json.ts'
import { peekStream } from '../read/peek.ts'
import { openTable } from '../read/table-records.ts'
import { unreadableFile } from '../read/unreadable-file.ts'
import { loadImportRegistry, openCatalogueWriter } from './catalogue-writer-service.ts'
import { DEVICE_COLUMNS, isOwnCsv, parseOwnRow } from './own-csv.ts'
import {
  CATALOGUE_FORMAT,
  familyTableDraft,
  familyTableHeadSchema,
  type OwnDevice,
  ownDeviceSchema,
  toDeviceDraft,
} from './own-format.ts'

export const catalogueImporter: Importer = {
  format: 'catalogue',
  help: 'devices and variants: CSV, XLSX, JSON or family tables',
  options: {},
  exclusiveTarget: 'catalogue',
  async run(source, context) {
    const registry = await loadImportRegistry(context.db)
    const writer = openCatalogueWriter(registry, context)
    const { head, text } = await peekStream(decodeText(source, context.notify), 1)
    const firstCharacter = head.trimStart()[0]
    const readRows = firstCharacter === '[' || firstCharacter === '{' ? readJson : readCsv
    const rows = await readRows({ text, source, context, add: writer.add })
    return { rows, ...(await writer.finish()) }
  },
}

type AddDraft = ReturnType<typeof openCatalogueWriter>['add']

type CatalogueFile = {
  readonly text: AsyncIterable<string>
  readonly source: ByteSource
  readonly context: ImportContext
  readonly add: AddDraft
}

/** Returns the number of rows, like `readJson`. */
async function readCsv({ text, source, context, add }: CatalogueFile): Promise<number> {
  const { records } = await openTable(
    text,
    source.name,
    DEVICE_COLUMNS,
    (header) => (isOwnCsv(header) ? true : undefined),
    ({ names }) => unknownFormat(source.name, names.join(', ')),
  )
  context.notify(`Reading ${source.name} as a table of devices.`)
  let rows = 0
  for await (const record of records) {
    rows++
    context.progress.at(rows, source.readBytes(), source.totalBytes)
    addOwnRecord(parseOwnRow(record), record.line, context, add)
    if (context.signal.aborted) break
  }
  return rows
}

async function readJson({ text, source, context, add }: CatalogueFile): Promise<number> {
  /** Make and category of a family table, stated once above its devices. */
  const table: FamilyTableHead = {}
  let rows = 0
  for await (const { line, key, value } of readJsonItems(text, source.name)) {
    if (key === 'format' && value !== CATALOGUE_FORMAT) {
      throw unreadableFile(
        `${source.name} says it is ${excerpt(value)}; this program reads ${CATALOGUE_FORMAT}.`,
        reason('file_unknown_format', { name: source.name }),
      )
    }
    if (key === 'make' || key === 'category') table[key] = value
    if (key !== null && key !== 'devices') continue
    if (rows === 0 && !isOwnRecord(value)) {
      throw unknownFormat(source.name, `a record ${JSON.stringify(value).slice(0, 80)}`)
    }
    rows++
    context.progress.at(rows, source.readBytes(), source.totalBytes)
    if (isFamilyTableRow(value)) addFamilyTableRow(table, value, line, context, add)
    else addOwnRecord(value, line, context, add)
    if (context.signal.aborted) break
  }
  return rows
}

const isOwnRecord = (value: unknown): boolean =>
  isFamilyTableRow(value) || (typeof value === 'object' && value !== null && 'make' in value && 'name' in value)

function addOwnRecord(value: unknown, line: number, context: ImportContext, add: AddDraft): void {
  const device: OwnDevice | undefined = parseOrReject(ownDeviceSchema, value, line, context)
  if (!device) return
  const draft = toDeviceDraft(device, line)
  if (typeof draft === 'string') context.report.reject(line, draft)
  else add(draft)
}

type FamilyTableHead = { make?: unknown; category?: unknown }

function isFamilyTableRow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'offers' in value
}

function addFamilyTableRow(
  table: FamilyTableHead,
  value: unknown,
  line: number,
  context: ImportContext,
  add: AddDraft,
): void {
  const head = parseOrReject(familyTableHeadSchema, table, line, context)
  const row = head && parseOrReject(familyDeviceSchema, value, line, context)
  if (!row) return
  try {
    add(familyTableDraft(head.make, head.category, row, line))
  } catch (error) {
    if (!(error instanceof FamilyTableError)) throw error
    context.report.reject(line, 'table_contradicts', error.message)
  }
}

/** Rejects a record that does not match the schema, with its first error as the detail. */
function parseOrReject<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  line: number,
  context: ImportContext,
): z.output<Schema> | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const path = issue?.path.filter((part) => typeof part === 'string').join('.') || 'record'
  context.report.reject(line, 'value_invalid', `${path}: ${issue?.message ?? 'does not fit'}`)
  return undefined
}

function unknownFormat(name: string, beginning: string): DomainError {
  return unreadableFile(
    `${name} is not a known catalogue format: it begins with ${beginning.slice(0, 160)}. See docs/importing.md for the formats.`,
    reason('file_unknown_format', { name }),
  )
}
