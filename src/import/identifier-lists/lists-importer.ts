/** `import lists FILE`: stolen, barred, barred TAC and registration lists, complete or as changes. */

import type { IdentifierListTable, ListedIdentifierTable, ListKind } from '../../db/schema.ts'
import { conflict, invalid } from '../../lib/errors.ts'
import { type Reason, reason } from '../../lib/reasons.ts'
import type { RejectionCode } from '../../lib/rejections.ts'
import { type ImportContext, type Importer, type ImportResult, importStopped } from '../importer.ts'
import { type ByteSource, withRepeatableSource } from '../read/byte-source-service.ts'
import { decodeText } from '../read/encoding.ts'
import { openTable } from '../read/table-records.ts'
import { unreadableFile } from '../read/unreadable-file.ts'
import { type ListCoverage, parseListCoverage } from './list-coverage.ts'
import { detectListFormat, LIST_COLUMNS, type ListEntry, type ListFormat, parseListEntry } from './list-format.ts'
import {
  addListEntries,
  clearListEntries,
  countListEntries,
  findList,
  readEntriesByKey,
  readEntriesNotInRun,
  recordListImport,
  recordStoppedListImport,
} from './list-store.ts'

/**
 * A list that lost more entries than this, in percent, was probably truncated. A list that clears is held to less: each entry
 * it loses turns a reported device into a clean one.
 */
const MAX_SHRINK_PERCENT = 25
const MAX_SHRINK_PERCENT_OF_CLEARING_LIST = 1
const BATCH_ROWS = 5000
const KINDS: Readonly<Record<string, ListKind>> = {
  stolen: 'stolen',
  barred: 'barred',
  'barred-tac': 'barred_tac',
  registration: 'registration',
}

export const listsImporter: Importer = {
  format: 'lists',
  help: 'stolen, barred, barred TAC or registration list in the DIRBS formats; a change_type column makes it a delta list',
  options: {
    list: 'NAME of the list in the database (the kind unless given)',
    kind: 'stolen|barred|barred-tac|registration, where the header alone does not tell',
    area: 'DE, where the list counts; with --clears',
    'max-age-days': '1 to 365, how long after the import it counts; with --clears',
    'max-shrink-percent': '0 to 100, how much smaller the list may get without --accept-shrink (25, with --clears 1)',
  },
  flags: { clears: 'what is not on this list is clean; without it the list only accuses' },
  exclusiveTarget: 'lists',
  allowsEmpty: true,
  run: (input, context) =>
    withRepeatableSource(input, async (source): Promise<ImportResult> => {
      const format = await readListFormat(source, context)
      const { kind, isDelta } = format
      const list = context.options.list?.trim() || kind.replace('_', '-')
      const existing = await findList(context.db, list)
      if (existing && existing.kind !== kind) {
        throw conflict(
          'list',
          `The list "${list}" is a ${existing.kind} list, ${source.name} is a ${kind} list.`,
          reason('list_of_another_kind', { list }),
        )
      }
      const coverage = parseListCoverage(context.options, list, format, existing)
      context.notify(`Reading ${source.name} as a ${isDelta ? 'delta' : 'full'} ${kind} list, "${list}".`)
      if (kind === 'stolen') context.notify(...describeCoverage(coverage, existing))
      return isDelta
        ? applyDelta(source, context, list, format, coverage)
        : replaceList(source, context, list, format, coverage, existing?.entries ?? 0)
    }),
}

function describeCoverage(
  { area, max_age_days: days }: ListCoverage,
  existing: IdentifierListTable | undefined,
): [sentence: string, why: Reason] {
  if (area !== null) {
    const why = reason('note_list_clears', { area, days: days ?? 0 })
    return [`It clears what is not on it, for ${area} and for ${days} days from now.`, why]
  }
  return existing?.area
    ? ['It no longer clears, because this import does not say so.', reason('note_list_clears_no_more')]
    : ['Reports only: devices that are not on the list stay unverified.', reason('note_list_reports_only')]
}

function openList(source: ByteSource, notify?: (sentence: string) => void) {
  return openTable(
    decodeText(source, notify),
    source.name,
    LIST_COLUMNS,
    (header) => {
      const format = detectListFormat(header)
      return typeof format === 'string' ? undefined : format
    },
    (header) =>
      unreadableFile(
        `${source.name} ${detectListFormat(header)}.`,
        reason('file_unknown_format', { name: source.name }),
      ),
  )
}

async function readListFormat(source: ByteSource, { options, notify }: ImportContext): Promise<ListFormat> {
  const { format, records } = await openList(source, notify)
  await records.return(undefined)
  if (!options.kind) return format
  const kind = KINDS[options.kind]
  if (!kind) throw invalid('kind', options.kind, `one of ${Object.keys(KINDS).join(', ')}`)
  return { ...format, kind }
}

async function* readListEntries(
  source: ByteSource,
  context: ImportContext,
  format: ListFormat,
  reject: (line: number, reason: RejectionCode) => void,
): AsyncGenerator<ListEntry | undefined> {
  let rows = 0
  for await (const record of (await openList(source)).records) {
    context.progress.at(++rows, source.readBytes(), source.totalBytes)
    const entry = parseListEntry(record, format)
    // No detail: the identifier is personal data, and the line number finds the row.
    if (typeof entry === 'string') reject(record.line, entry)
    yield typeof entry === 'string' ? undefined : entry
  }
}

async function replaceList(
  source: ByteSource,
  context: ImportContext,
  list: string,
  format: ListFormat,
  coverage: ListCoverage,
  entriesBefore: number,
): Promise<ImportResult> {
  const { signal } = context
  const checkShrink = createShrinkGuard(list, entriesBefore, coverage, context)
  let rows = 0
  let valid = 0
  for await (const entry of readListEntries(source, context, format, context.report.reject)) {
    rows++
    if (entry) valid++
  }
  checkShrink(valid, rows)
  if (context.dryRun) return { rows, entries: valid }

  const writer = openListWriter(context, list, format)
  for await (const entry of readListEntries(source, context, format, () => {})) {
    if (entry) await writer.add(entry)
    if (signal.aborted) break
  }
  await writer.flush()
  const target = { name: list, kind: format.kind }
  await throwIfStopped(context, target, writer.written(), valid)
  // Counted again without duplicates: a list padded with duplicates must not pass.
  const distinct = await countListEntries(context.db, list, context.runId)
  context.report.remark('duplicate_identifier', valid - distinct)
  checkShrink(distinct)
  let cleared = 0
  for (;;) {
    const missing = await readEntriesNotInRun(context.db, list, context.runId, BATCH_ROWS)
    if (missing.length === 0) break
    cleared += await clearListEntries(context.db, missing, { now: context.now(), runId: context.runId, signal })
    await throwIfStopped(context, target, writer.written(), valid)
  }
  await context.db.bulk.analyzeTable('listed_identifier')
  const row = { name: list, kind: format.kind, entries: distinct, imported_at: context.now(), ...coverage }
  await recordListImport(context.db, row, { actor: context.actor, now: context.now(), counts: { cleared } })
  return { rows, entries: distinct, cleared }
}

async function applyDelta(
  source: ByteSource,
  context: ImportContext,
  list: string,
  format: ListFormat,
  coverage: ListCoverage,
): Promise<ImportResult> {
  let rows = 0
  let added = 0
  let removed = 0
  const writer = openListWriter(context, list, format)
  let removals: ListEntry[] = []
  const flushRemovals = async () => {
    const keys = removals.map((entry) => entry.key14)
    const entries = await readEntriesByKey(context.db, list, keys)
    context.report.remark('removed_not_listed', keys.length - entries.length)
    removed += entries.length
    removals = []
    if (!context.dryRun) await clearListEntries(context.db, entries, { now: context.now(), runId: context.runId })
  }
  for await (const entry of readListEntries(source, context, format, context.report.reject)) {
    rows++
    if (!entry) continue
    // In the order of the file: an identifier may be added and removed in one delta.
    if (entry.change === 'remove') {
      await writer.flush()
      removals.push(entry)
      if (removals.length >= 500) await flushRemovals()
      continue
    }
    if (removals.length > 0) await flushRemovals()
    added++
    if (!context.dryRun) await writer.add(entry)
    if (context.signal.aborted) break
  }
  if (removals.length > 0) await flushRemovals()
  await writer.flush()
  await throwIfStopped(context, { name: list, kind: format.kind }, writer.written(), added)
  if (context.dryRun) return { rows, added, removed }
  const entries = await countListEntries(context.db, list)
  const row = { name: list, kind: format.kind, entries, imported_at: context.now(), ...coverage }
  await recordListImport(context.db, row, { actor: context.actor, now: context.now(), counts: { added, removed } })
  return { rows, added, removed, entries }
}

function openListWriter(context: ImportContext, list: string, format: ListFormat) {
  let batch: ListedIdentifierTable[] = []
  let written = 0
  const flush = async () => {
    if (batch.length === 0 || context.dryRun) return
    const rows = batch
    batch = []
    written += await addListEntries(context.db, rows, context.now(), context.signal)
  }
  return {
    async add(entry: ListEntry) {
      batch.push({
        list,
        kind: format.kind,
        key14: entry.key14,
        status: entry.status,
        reported_on: entry.reportedOn,
        listed_at: context.now(),
        cleared_at: null,
        run_id: context.runId,
      })
      if (batch.length >= BATCH_ROWS) await flush()
    },
    flush,
    written: () => written,
  }
}

/** What was added stays, because no report may be lost; an incomplete list clears nothing. */
async function throwIfStopped(
  context: ImportContext,
  list: Pick<IdentifierListTable, 'name' | 'kind'>,
  written: number,
  total: number,
): Promise<void> {
  if (!context.signal.aborted || context.dryRun) return
  await recordStoppedListImport(context.db, list, {
    actor: context.actor,
    now: context.now(),
    counts: { added: written },
  })
  throw importStopped(written, total, 'identifiers')
}

/**
 * Throws when the list would shrink by more than it may without the operator's confirmation. Invalid and missing rows of a
 * list that clears count like lost ones, also at its first import: their devices would become clean.
 */
function createShrinkGuard(
  list: string,
  before: number,
  { area }: ListCoverage,
  { acceptShrink, options }: ImportContext,
): (after: number, rows?: number) => void {
  const limit =
    parseMaxShrink(options['max-shrink-percent']) ??
    (area === null ? MAX_SHRINK_PERCENT : MAX_SHRINK_PERCENT_OF_CLEARING_LIST)
  return (after, rows = after) => {
    if (acceptShrink) return
    const isIncomplete = after === 0 || after < rows * (1 - limit / 100)
    if (area !== null && isIncomplete) {
      const problem = rows === 0 ? 'is empty' : `has invalid rows (${rows - after} of ${rows})`
      throw conflict(
        'shrinking list',
        `The list "${list}" ${problem}, and it clears devices that are not on it.`,
        reason('list_shrinks', { list }),
      )
    }
    if (after >= before * (1 - limit / 100)) return
    const [from, to] = [before, after].map((count) => count.toLocaleString('en'))
    const hint = area === null ? '' : ' It clears devices that are not on it.'
    throw conflict(
      'shrinking list',
      `The list "${list}" would shrink from ${from} to ${to} identifiers, by more than ${limit} %.${hint}`,
      reason('list_shrinks', { list }),
    )
  }
}

function parseMaxShrink(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const percent = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (percent <= 100) return percent
  throw invalid('max-shrink-percent', text, 'a number from 0 to 100', reason('not_a_share'))
}
