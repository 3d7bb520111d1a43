/** `import catalogue FILE`: the format is detected automatically. */
import type * as z from 'zod'
import { FamilyTableError, familyDeviceSchema } from '../../catalog/family-table.ts'
import { type DomainError, excerpt } from '../../lib/errors.ts'
import { dayOf } from '../../lib/time.ts'
import type { ImportContext, Importer } from '../importer.ts'
import type { ByteSource } from '../read/byte-source-service.ts'
import { decodeText } from '../read/encoding.ts'
import type { TableHeader } from '../read/header.ts'
import { readJsonItems } from '../read/json.ts'
import { peekStream } from '../read/peek.ts'
import { openTable } from '../read/table-records.ts'
import { unreadableFile } from '../read/unreadable-file.ts'
import {
  type AppleGroup,
  type AppleMember,
  appleCategory,
  appleDrafts,
  appleGroupSchema,
  appleRecordSchema,
} from './appledb.ts'
import { loadImportRegistry, openCatalogueWriter } from './catalogue-writer-service.ts'
import type { DeviceDraft } from './device-draft.ts'
import { FACT_ORIGINS } from './fact-origins.ts'
import { groupGooglePlayRows, isGooglePlayConsole, isGooglePlayList } from './google-play.ts'
import type { ImportRegistry } from './import-registry.ts'
import { lineageDraft, lineageRecordSchema } from './lineageos.ts'
import { isOwnCsv, parseOwnRow } from './own-csv.ts'
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
  help: 'devices and variants: our own JSON, CSV or tables, the Google Play device list, the Play Console catalogue, AppleDB, LineageOS device data',
  options: { groups: 'FILE with AppleDB device groups' },
  exclusiveTarget: 'catalogue',
  async run(source, context) {
    const registry = await loadImportRegistry(context.db)
    const writer = openCatalogueWriter(registry, context)
    const { head, text } = await peekStream(decodeText(source, context.notify), 1)
    const firstCharacter = head.trimStart()[0]
    const readRows = firstCharacter === '[' || firstCharacter === '{' ? readJson : readCsv
    const rows = await readRows({ text, source, context, registry, add: writer.add })
    return { rows, ...(await writer.finish()) }
  },
}

type AddDraft = ReturnType<typeof openCatalogueWriter>['add']

type CatalogueFile = {
  readonly text: AsyncIterable<string>
  readonly source: ByteSource
  readonly context: ImportContext
  readonly registry: ImportRegistry
  readonly add: AddDraft
}

/** Returns the number of rows, like `readJson`. */
async function readCsv({ text, source, context, registry, add }: CatalogueFile): Promise<number> {
  const { format: kind, records } = await openTable(text, source.name, detectCsvKind, ({ names }) =>
    unknownFormat(source.name, names.join(', ')),
  )
  context.notify(`Reading ${source.name} as ${FACT_ORIGINS[kind].title}.`)
  const groups = groupGooglePlayRows(registry.spellingOfMake, context.report)
  let rows = 0
  for await (const record of records) {
    rows++
    context.progress.at(rows, source.readBytes(), source.totalBytes)
    if (kind === 'google-play') groups.addListed(record)
    else if (kind === 'google-play-console') groups.addConsole(record)
    else addOwnRecord(parseOwnRow(record), record.line, context, add)
    if (context.signal.aborted) break
  }
  if (kind === 'google-play') for (const draft of groups.drafts(kind)) add(draft)
  if (kind === 'google-play-console') {
    for (const draft of groups.drafts(kind))
      for (const deviceDraft of spreadByCodename(draft, registry)) add(deviceDraft)
  }
  return rows
}

function detectCsvKind(header: TableHeader): 'google-play' | 'google-play-console' | 'own' | undefined {
  if (isGooglePlayList(header)) return 'google-play'
  if (isGooglePlayConsole(header)) return 'google-play-console'
  return isOwnCsv(header) ? 'own' : undefined
}

/**
 * The console describes hardware by its codename, under one of its sales names. Its facts hold for every device with that
 * codename; only unknown hardware is a new device.
 */
function* spreadByCodename(draft: DeviceDraft, registry: ImportRegistry): Generator<DeviceDraft> {
  const ids = new Set((draft.modelIdentifiers ?? []).flatMap((name) => registry.findByIdentifier(draft.make, name)))
  if (ids.size === 0) yield draft
  for (const id of ids) {
    const existing = registry.get(id)
    if (!existing) continue
    const { category, specifications, categoryInferred, source, line } = draft
    yield { id, make: existing.make, name: existing.name, category, categoryInferred, specifications, source, line }
  }
}

async function readJson({ text, source, context, registry, add }: CatalogueFile): Promise<number> {
  const members: AppleMember[] = []
  /** Make and category of a family table, stated once above its devices. */
  const table: FamilyTableHead = {}
  let rows = 0
  let kind: 'appledb' | 'lineageos' | 'own' | undefined
  for await (const { line, key, value } of readJsonItems(text, source.name)) {
    if (key === 'format' && value !== CATALOGUE_FORMAT) {
      throw unreadableFile(`${source.name} says it is ${excerpt(value)}; this program reads ${CATALOGUE_FORMAT}.`)
    }
    if (key === 'make' || key === 'category') table[key] = value
    if (key !== null && key !== 'devices') continue
    const recordKind = detectRecordKind(value)
    if (!kind) {
      if (!recordKind) throw unknownFormat(source.name, `a record ${JSON.stringify(value).slice(0, 80)}`)
      kind = recordKind
      context.notify(`Reading ${source.name} as ${FACT_ORIGINS[kind].title}.`)
    }
    rows++
    context.progress.at(rows, source.readBytes(), source.totalBytes)
    if (isFamilyTableRow(value)) addFamilyTableRow(table, value, line, context, add)
    else if (kind === 'own') addOwnRecord(value, line, context, add)
    else if (kind === 'lineageos') {
      const record = parseOrReject(lineageRecordSchema, value, line, context)
      if (record) add(lineageDraft(record, line, registry.spellingOfMake))
    } else {
      const record = parseOrReject(appleRecordSchema, value, line, context)
      if (!record) continue
      if (record.internal) context.report.reject(line, 'internal prototype', record.name)
      else if (!appleCategory(record.type)) context.report.reject(line, 'device category not supported', record.type)
      else members.push({ record, line })
    }
    if (context.signal.aborted) break
  }
  if (kind === 'appledb') {
    const groups = await readAppleGroups(context)
    const today = dayOf(context.now())
    const lookup = {
      findByName: (name: string) => registry.findByName('Apple', name),
      findByModel: (model: string) => registry.findByModel('Apple', model),
    }
    for (const draft of appleDrafts(members, groups, today, lookup, context.report.reject)) add(draft)
  }
  return rows
}

function detectRecordKind(value: unknown): 'appledb' | 'lineageos' | 'own' | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if ('vendor' in value && 'codename' in value) return 'lineageos'
  if (('make' in value && 'name' in value) || isFamilyTableRow(value)) return 'own'
  if ('type' in value && 'name' in value) return 'appledb'
  return undefined
}

async function readAppleGroups(context: ImportContext): Promise<AppleGroup[]> {
  const file = context.options.groups
  if (!file) {
    context.notify('Without --groups FILE, AppleDB records are folded by their names alone.')
    return []
  }
  const source = await context.open(file)
  const groups: AppleGroup[] = []
  for await (const { line, value } of readJsonItems(decodeText(source, context.notify), source.name)) {
    const group = parseOrReject(appleGroupSchema, value, line, context)
    if (group) groups.push(group)
  }
  return groups
}

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
    context.report.reject(line, 'the table contradicts itself', error.message)
  }
}

/** Rejects a record that does not match the schema, with its first error as the reason. */
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
  context.report.reject(line, `${path}: ${issue?.message ?? 'does not fit'}`)
  return undefined
}

function unknownFormat(name: string, beginning: string): DomainError {
  return unreadableFile(
    `${name} is not a known catalogue format: it begins with ${beginning.slice(0, 160)}. See docs/importing.md for the formats.`,
  )
}
