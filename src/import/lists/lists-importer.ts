/** `import lists FILE`: stolen, barred, barred TAC and registration lists, whole or as changes. */
import type { IdentifierListTable, ListedIdentifierTable, ListKind } from '../../db/schema.ts'
import { conflict, invalid } from '../../errors.ts'
import { type WatchedListings, watchedListings } from '../../events/identifier-change-store.ts'
import { type ImportContext, type Importer, type ImportResult, stopped } from '../importer.ts'
import { readRows } from '../read/csv.ts'
import { readText } from '../read/encoding.ts'
import { type Header, readHeader } from '../read/header.ts'
import { type Source, withRepeatable } from '../read/source.ts'
import { unreadable } from '../read/unreadable.ts'
import { writeInSteps } from '../steps.ts'
import { type ClearingTerms, readClearingTerms } from './clearing-terms.ts'
import { type ListForm, type Listing, readListForm, readListing } from './identifier-lists.ts'
import {
  clearListings,
  countListed,
  findList,
  finishList,
  leaveList,
  readListedKeys,
  readUnseen,
  writeListings,
} from './list-store.ts'

/** A list that lost more than this share of its entries was probably cut on its way here. */
const MAX_SHRINK = 0.25
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
    list: 'NAME of the list in the store (the kind unless given)',
    kind: 'stolen|barred|barred-tac|registration, where the header alone does not tell',
    area: 'DE, where the list counts; with --clears',
    'max-age-days': '1 to 365, how long after the import it counts; with --clears',
  },
  flags: { clears: 'what is not on this list is clean; without it the list only accuses' },
  rewrites: 'lists',
  mayBeEmpty: true,
  run: (given, context) =>
    withRepeatable(given, async (source): Promise<ImportResult> => {
      const form = await readForm(source, context)
      const list = context.options.list?.trim() || form.kind.replace('_', '-')
      const known = await findList(context.db, list)
      if (known && known.kind !== form.kind) {
        throw conflict('list', `The list "${list}" is a ${known.kind} list, ${source.name} is a ${form.kind} list.`)
      }
      const terms = readClearingTerms(context.options, list, form, known)
      context.note(`Reading ${source.name} as a ${form.delta ? 'delta' : 'full'} ${form.kind} list, "${list}".`)
      if (form.kind === 'stolen') context.note(whatItClears(terms, known))
      return form.delta
        ? applyDelta(source, context, list, form, terms)
        : replaceList(source, context, list, form, terms, known?.entries ?? 0)
    }),
}

function whatItClears({ area, max_age_days: days }: ClearingTerms, known: IdentifierListTable | undefined): string {
  if (area !== null) return `It clears what is not on it, for ${area} and for ${days} days from now.`
  return known?.area ? 'It no longer clears, because this import does not say so.' : 'It accuses, and clears nothing.'
}

async function readForm(source: Source, context: ImportContext): Promise<ListForm> {
  for await (const row of readRows(readText(source, context.note), source.name)) {
    const form = readListForm(readHeader(row.fields))
    if (typeof form === 'string') throw unreadable(`${source.name} ${form}.`)
    if (!context.options.kind) return form
    const kind = KINDS[context.options.kind]
    if (!kind) throw invalid('kind', context.options.kind, `one of ${Object.keys(KINDS).join(', ')}`)
    return { ...form, kind }
  }
  throw unreadable(`${source.name} is empty.`)
}

async function* readListings(
  source: Source,
  context: ImportContext,
  form: ListForm,
  reject: (line: number, reason: string) => void,
): AsyncGenerator<Listing | undefined> {
  let header: Header | undefined
  let rows = 0
  for await (const row of readRows(readText(source), source.name)) {
    if (!header) {
      header = readHeader(row.fields)
      continue
    }
    context.progress.at(++rows, source.readBytes(), source.totalBytes)
    const listing = readListing(row, header, form)
    // No detail: the identifier is personal data, and the line number finds the row.
    if (typeof listing === 'string') reject(row.line, listing)
    yield typeof listing === 'string' ? undefined : listing
  }
}

async function replaceList(
  source: Source,
  context: ImportContext,
  list: string,
  form: ListForm,
  terms: ClearingTerms,
  heldBefore: number,
): Promise<ImportResult> {
  let rows = 0
  let valid = 0
  for await (const listing of readListings(source, context, form, context.report.reject)) {
    rows++
    if (listing) valid++
  }
  refuseShrinking(list, heldBefore, valid, context)
  if (context.dryRun) return { rows, entries: valid }

  const write = openWriter(context, list, form)
  for await (const listing of readListings(source, context, form, () => {})) {
    if (listing) await write.add(listing)
    if (context.signal.aborted) break
  }
  await write.flush()
  const held = { name: list, kind: form.kind }
  await stopWhenAsked(context, held, write.written(), valid)
  // Counted again now that doubles are gone: a list padded with doubles must not slip through.
  const distinct = await countListed(context.db, list, context.runId)
  context.report.remark('the same identifier again', valid - distinct)
  refuseShrinking(list, heldBefore, distinct, context)
  let cleared = 0
  for (;;) {
    const gone = await readUnseen(context.db, list, context.runId, BATCH_ROWS)
    if (gone.length === 0) break
    cleared += await writeInSteps<ListedIdentifierTable, WatchedListings>(
      context.db,
      gone,
      (tx, step, known) => clearListings(context.db, tx, step, known, context.now(), context.runId),
      { prepare: (step) => watchedListings(context.db, step, context.now()), signal: context.signal },
    )
    await stopWhenAsked(context, held, write.written(), valid)
  }
  await context.db.tableFilled('listed_identifier')
  const row = { name: list, kind: form.kind, entries: distinct, imported_at: context.now(), ...terms }
  await finishList(context.db, row, { actor: context.actor, now: context.now(), figures: { cleared } })
  return { rows, entries: distinct, cleared }
}

async function applyDelta(
  source: Source,
  context: ImportContext,
  list: string,
  form: ListForm,
  terms: ClearingTerms,
): Promise<ImportResult> {
  let rows = 0
  let added = 0
  let removed = 0
  const write = openWriter(context, list, form)
  let removals: Listing[] = []
  const clear = async () => {
    const held = await readListedKeys(
      context.db,
      list,
      removals.map((listing) => listing.key14),
    )
    context.report.remark('removal of an identifier that was not on the list', removals.length - held.length)
    removed += held.length
    removals = []
    if (context.dryRun) return
    await writeInSteps<ListedIdentifierTable, WatchedListings>(
      context.db,
      held,
      (tx, step, known) => clearListings(context.db, tx, step, known, context.now(), context.runId),
      { prepare: (step) => watchedListings(context.db, step, context.now()) },
    )
  }
  for await (const listing of readListings(source, context, form, context.report.reject)) {
    rows++
    if (!listing) continue
    // In the order of the file: an identifier may be added and removed in one delta.
    if (listing.change === 'remove') {
      await write.flush()
      removals.push(listing)
      if (removals.length >= 500) await clear()
      continue
    }
    if (removals.length > 0) await clear()
    added++
    if (!context.dryRun) await write.add(listing)
    if (context.signal.aborted) break
  }
  if (removals.length > 0) await clear()
  await write.flush()
  await stopWhenAsked(context, { name: list, kind: form.kind }, write.written(), added)
  if (context.dryRun) return { rows, added, removed }
  const entries = await countListed(context.db, list)
  const row = { name: list, kind: form.kind, entries, imported_at: context.now(), ...terms }
  await finishList(context.db, row, { actor: context.actor, now: context.now(), figures: { added, removed } })
  return { rows, added, removed, entries }
}

function openWriter(context: ImportContext, list: string, form: ListForm) {
  let batch: ListedIdentifierTable[] = []
  let written = 0
  const flush = async () => {
    if (batch.length === 0 || context.dryRun) return
    const rows = batch
    batch = []
    written += await writeInSteps<ListedIdentifierTable, WatchedListings>(
      context.db,
      rows,
      (tx, step, known) => writeListings(context.db, tx, step, known, context.now()),
      { prepare: (step) => watchedListings(context.db, step, context.now()), signal: context.signal },
    )
  }
  return {
    async add(listing: Listing) {
      batch.push({
        list,
        kind: form.kind,
        key14: listing.key14,
        status: listing.status,
        reported_on: listing.reportedOn,
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

/** What was added stays, because a report must not be lost; nothing is cleared by half a list. */
async function stopWhenAsked(
  context: ImportContext,
  list: Pick<IdentifierListTable, 'name' | 'kind'>,
  done: number,
  total: number,
): Promise<void> {
  if (!context.signal.aborted || context.dryRun) return
  await leaveList(context.db, list, { actor: context.actor, now: context.now(), figures: { added: done } })
  throw stopped(done, total, 'identifiers')
}

function refuseShrinking(list: string, before: number, after: number, context: ImportContext): void {
  if (context.force || before === 0 || after >= before * (1 - MAX_SHRINK)) return
  throw conflict(
    'shrinking list',
    `The list "${list}" holds ${before.toLocaleString('en')} identifiers and this file ${after.toLocaleString('en')}: more than a quarter would go.`,
  )
}
