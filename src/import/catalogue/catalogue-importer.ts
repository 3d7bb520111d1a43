/** `import catalogue FILE`: whose list it is shows in its first bytes, so nobody has to say it. */
import type * as z from 'zod'
import { FamilyMistake, familyDevice } from '../../catalog/family.ts'
import { type DomainError, excerpt } from '../../errors.ts'
import { dayOf } from '../../time.ts'
import type { ImportContext, Importer } from '../importer.ts'
import { readRows } from '../read/csv.ts'
import { readText } from '../read/encoding.ts'
import { type Header, readHeader } from '../read/header.ts'
import { readJsonItems } from '../read/json.ts'
import { peekText } from '../read/peek.ts'
import type { Source } from '../read/source.ts'
import { unreadable } from '../read/unreadable.ts'
import { type AppleGroup, type AppleMember, appleCategory, appleDrafts, appleGroup, appleRecord } from './appledb.ts'
import type { DeviceDraft } from './draft.ts'
import { googlePlayGroups, isGooglePlayConsole, isGooglePlayList } from './google-play.ts'
import type { KnownRegistry } from './known-registry.ts'
import { lineageDraft, lineageRecord } from './lineageos.ts'
import { openLoad, openRegistry } from './load.ts'
import { ORIGINS } from './origins.ts'
import { isOwnCsv, ownRow } from './own-csv.ts'
import { CATALOGUE_FORMAT, type OwnDevice, ownDevice, ownDraft, tableDraft, tableHead } from './own-format.ts'

export const catalogueImporter: Importer = {
  format: 'catalogue',
  help: 'devices and variants: our own JSON, CSV or tables, the Google Play device list, the Play Console catalogue, AppleDB, LineageOS device data',
  options: { groups: 'FILE with AppleDB device groups' },
  rewrites: 'catalogue',
  async run(source, context) {
    const registry = await openRegistry(context.db)
    const load = openLoad(registry, context)
    const { head, text } = await peekText(readText(source, context.note), 1)
    const first = head.trimStart()[0]
    let rows: number
    if (first === '[' || first === '{') rows = await readJson(text, source, context, registry, load.add)
    else rows = await readCsv(text, source, context, registry, load.add)
    return { rows, ...(await load.finish()) }
  },
}

type Add = ReturnType<typeof openLoad>['add']

async function readCsv(
  text: AsyncIterable<string>,
  source: Source,
  context: ImportContext,
  registry: KnownRegistry,
  add: Add,
): Promise<number> {
  let header: Header | undefined
  let kind: 'google-play' | 'google-play-console' | 'own' | undefined
  const groups = googlePlayGroups(registry.make, context.report)
  let rows = 0
  for await (const row of readRows(text, source.name)) {
    if (!header) {
      header = readHeader(row.fields)
      if (isGooglePlayList(header)) kind = 'google-play'
      else if (isGooglePlayConsole(header)) kind = 'google-play-console'
      else if (isOwnCsv(header)) kind = 'own'
      else throw unknownList(source.name, row.fields.join(', '))
      context.note(`Reading ${source.name} as ${ORIGINS[kind].title}.`)
      continue
    }
    rows++
    context.progress.at(rows, source.readBytes(), source.totalBytes)
    if (kind === 'google-play') groups.addListed(row, header)
    else if (kind === 'google-play-console') groups.addConsole(row, header)
    else addOwn(ownRow(row, header), row.line, context, add)
    if (context.signal.aborted) break
  }
  if (!header) throw unreadable(`${source.name} is empty.`)
  if (kind === 'google-play') for (const draft of groups.drafts(kind)) add(draft)
  if (kind === 'google-play-console') {
    for (const draft of groups.drafts(kind)) for (const one of byCodename(draft, registry)) add(one)
  }
  return rows
}

/**
 * The console describes hardware by its codename, under one of the names it is sold by: what it says holds for every
 * device with that codename, and only unknown hardware is a new device.
 */
function* byCodename(draft: DeviceDraft, registry: KnownRegistry): Generator<DeviceDraft> {
  const ids = new Set((draft.modelIdentifiers ?? []).flatMap((name) => registry.findByIdentifier(draft.make, name)))
  if (ids.size === 0) yield draft
  for (const id of ids) {
    const known = registry.get(id)
    if (!known) continue
    const { category, specifications, categoryInferred, source, line } = draft
    yield { id, make: known.make, name: known.name, category, categoryInferred, specifications, source, line }
  }
}

async function readJson(
  text: AsyncIterable<string>,
  source: Source,
  context: ImportContext,
  registry: KnownRegistry,
  add: Add,
): Promise<number> {
  const members: AppleMember[] = []
  /** What a family table says once, above its devices. */
  const table: TableHead = {}
  let rows = 0
  let kind: 'appledb' | 'lineageos' | 'own' | undefined
  for await (const { line, key, value } of readJsonItems(text, source.name)) {
    if (key === 'format' && value !== CATALOGUE_FORMAT) {
      throw unreadable(`${source.name} says it is ${excerpt(value)}; this program reads ${CATALOGUE_FORMAT}.`)
    }
    if (key === 'make' || key === 'category') table[key] = value
    if (key !== null && key !== 'devices') continue
    const found = kindOfRecord(value)
    if (!kind) {
      if (!found) throw unknownList(source.name, `a record ${JSON.stringify(value).slice(0, 80)}`)
      kind = found
      context.note(`Reading ${source.name} as ${ORIGINS[kind].title}.`)
    }
    rows++
    context.progress.at(rows, source.readBytes(), source.totalBytes)
    if (isTableRow(value)) addTableRow(table, value, line, context, add)
    else if (kind === 'own') addOwn(value, line, context, add)
    else if (kind === 'lineageos') {
      const record = checked(lineageRecord, value, line, context)
      if (record) add(lineageDraft(record, line, registry.make))
    } else {
      const record = checked(appleRecord, value, line, context)
      if (!record) continue
      if (record.internal) context.report.reject(line, 'internal prototype', record.name)
      else if (!appleCategory(record.type)) context.report.reject(line, 'kind of thing not kept', record.type)
      else members.push({ record, line })
    }
    if (context.signal.aborted) break
  }
  if (kind === 'appledb') {
    const groups = await readAppleGroups(context)
    const today = dayOf(context.now())
    const ours = {
      findByName: (name: string) => registry.findByName('Apple', name),
      findByModel: (model: string) => registry.findByModel('Apple', model),
    }
    for (const draft of appleDrafts(members, groups, today, ours, context.report.reject)) add(draft)
  }
  return rows
}

function kindOfRecord(value: unknown): 'appledb' | 'lineageos' | 'own' | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if ('vendor' in value && 'codename' in value) return 'lineageos'
  if (('make' in value && 'name' in value) || isTableRow(value)) return 'own'
  if ('type' in value && 'name' in value) return 'appledb'
  return undefined
}

async function readAppleGroups(context: ImportContext): Promise<AppleGroup[]> {
  const file = context.options.groups
  if (!file) {
    context.note('Without --groups FILE, AppleDB records are folded by their names alone.')
    return []
  }
  const source = await context.open(file)
  const groups: AppleGroup[] = []
  for await (const { line, value } of readJsonItems(readText(source, context.note), source.name)) {
    const group = checked(appleGroup, value, line, context)
    if (group) groups.push(group)
  }
  return groups
}

function addOwn(value: unknown, line: number, context: ImportContext, add: Add): void {
  const device: OwnDevice | undefined = checked(ownDevice, value, line, context)
  if (!device) return
  const draft = ownDraft(device, line)
  if (typeof draft === 'string') context.report.reject(line, draft)
  else add(draft)
}

type TableHead = { make?: unknown; category?: unknown }

function isTableRow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'offers' in value
}

function addTableRow(table: TableHead, value: unknown, line: number, context: ImportContext, add: Add): void {
  const head = checked(tableHead, table, line, context)
  const row = head && checked(familyDevice, value, line, context)
  if (!row) return
  try {
    add(tableDraft(head.make, head.category, row, line))
  } catch (error) {
    if (!(error instanceof FamilyMistake)) throw error
    context.report.reject(line, 'the table contradicts itself', error.message)
  }
}

/** A record that does not fit its form is a rejected row; the first thing wrong with it is the reason. */
function checked<Schema extends z.ZodType>(
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

function unknownList(name: string, seen: string): DomainError {
  return unreadable(
    `${name} is no catalogue we know: it begins with ${seen.slice(0, 160)}. See docs/importing.md for the formats.`,
  )
}
