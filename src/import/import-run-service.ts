/** One run of an importer from its turn to its record, whoever asked for it. */

import { basename } from 'node:path'
import type { Actor } from '../auth/actor.ts'
import { bundledCatalogueVersion, bundledDevices, bundledTacs } from '../catalog/bundled-catalogue-service.ts'
import type { Database, Tx } from '../db/database.ts'
import { DomainError, invalid } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { isoInstant } from '../lib/time.ts'
import { seedCatalogue } from './catalogue/seed-catalogue-service.ts'
import { withImportLock } from './import-lock.ts'
import { failRun, finishRun, startRun } from './import-run-store.ts'
import type { ImportContext, Importer, ImportResult } from './importer.ts'
import { formatPriceEffect, type PriceEffect } from './prices/price-effect.ts'
import type { PricePreview } from './prices/price-preview.ts'
import { resolveProfile } from './prices/profile-store.ts'
import { createProgress, type Progress } from './progress-service.ts'
import { type ByteSource, openByteSource, withRepeatableSource } from './read/byte-source-service.ts'
import { withUnpackedSource } from './read/unpack-service.ts'
import { unreadableFile } from './read/unreadable-file.ts'
import { createRowReport, type RowReport } from './row-report-service.ts'

export type ImportRequest = {
  readonly importer: Importer
  readonly source: ByteSource
  readonly db: Database
  /** What the record of the run says it was of. */
  readonly label: string
  readonly options: Readonly<Record<string, string>>
  readonly dryRun: boolean
  /** The operator confirmed that a list may shrink beyond the guard. */
  readonly acceptShrink: boolean
  /** Where the reports of rejected rows are kept; null: rejected rows are only counted. */
  readonly reportsFolder: string | null
  /** Who asked for it, as the audit trail names them. */
  readonly actor: Actor
  /** The organization whose own prices are imported; absent for the common market. */
  readonly organizationId?: string
  /** The market of prices whose rows name none and whose currency says nothing. */
  readonly defaultMarket: string
  readonly now: () => number
  readonly notify: (sentence: string) => void
  readonly signal: AbortSignal
  /** The first rejected rows are told one by one, unless they are shown otherwise. */
  readonly showsRejectedRows?: boolean
  /** Where it is told how far it is, if not on stderr. */
  readonly progress?: Progress
  /** What else is recorded of the run, each in the transaction of the record itself. */
  readonly hooks?: RunHooks
  /** Opens a second file that an option names; where it is not given, any file that this user may read. */
  readonly open?: ImportContext['open']
}

export type RunHooks = {
  readonly onStart: (tx: Tx, runId: string) => Promise<void>
  readonly onEnd: (tx: Tx) => Promise<void>
}

export type ImportOutcome = {
  readonly figures: ImportResult
  readonly report: RowReport
  /** Of a dry run, where the format has one. */
  readonly preview: PricePreview | null
}

/** Waits for its turn where another import rewrites the same. A failed run is recorded before the failure goes on. */
export async function runImport(request: ImportRequest): Promise<ImportOutcome> {
  const { importer, db, dryRun, notify: tell, signal } = request
  const { exclusiveTarget: rewrites } = importer
  if (dryRun || !rewrites) return runAndRecord(request)
  return withImportLock(
    (work, onWait) => db.withLock(`import-${rewrites}`, work, onWait),
    () => runAndRecord(request),
    () => tell(`Another import into the ${rewrites} is running; this one starts when it has ended.`),
    signal,
  )
}

async function runAndRecord(request: ImportRequest): Promise<ImportOutcome> {
  const { importer, source, db, label: file, dryRun, acceptShrink, now, signal } = request
  const progress = request.progress ?? createProgress(importer.format, process.stderr)
  let preview: PricePreview | null = null
  const tell = (line: string) => {
    progress.clear()
    request.notify(line)
  }
  const startedAt = now()
  const report = createRowReport({
    path: reportPath(request, startedAt),
    show: request.showsRejectedRows === false ? () => {} : tell,
  })
  const run: Omit<ImportContext, 'options'> = {
    db,
    now,
    dryRun,
    acceptShrink,
    report,
    progress,
    onPreview(found) {
      preview = found
    },
    notify: tell,
    signal,
    actor: request.actor,
    organizationId: request.organizationId ?? '',
    defaultMarket: request.defaultMarket,
    runId: sortableId('imp', startedAt),
    open: request.open ?? ((name) => openByteSource(name)),
  }
  try {
    if (!dryRun) {
      // Lists are matched against the bundled devices, so seed them first even if the service never ran.
      await seedCatalogue(db, {
        version: bundledCatalogueVersion(),
        devices: bundledDevices,
        tacs: bundledTacs,
      })
      await startRun(db, { id: run.runId, format: importer.format, file, startedAt }, request.hooks?.onStart)
    }
    const {
      encoding,
      sheet,
      'max-rejected': maxRejected,
      'max-change': maxChange,
      ...options
    } = importer.options?.profile ? await resolveProfile(db, request.options, dryRun) : request.options
    const limits = {
      rejected: maxRejected === undefined ? 1 : parseShare('max-rejected', maxRejected),
      change: maxChange === undefined ? Number.POSITIVE_INFINITY : parseShare('max-change', maxChange),
    }
    const result = await withUnpackedSource(source, { encoding, sheet }, async (list) => {
      if (list.members && !importer.takesSeveralFiles) {
        const names = list.members.map(({ name }) => name).join(', ')
        throw unreadableFile(`${file} holds several files (${names}); import one of them by itself.`)
      }
      if (maxRejected === undefined && maxChange === undefined) return importer.run(list, { ...run, options })
      return withRepeatableSource(list, async (repeatable) => {
        await rejectBadFile(importer, repeatable, { ...run, options }, limits)
        return importer.run(repeatable, { ...run, options })
      })
    })
    if (result.rows === 0 && !importer.allowsEmpty) {
      throw unreadableFile(`${file} holds nothing that the format ${importer.format} knows; nothing was imported.`)
    }
    const figures = { ...result, rejected: report.rejectedCount() }
    const rejected = { rejectedBy: report.rejectedBy(), report: reportFileName(report) }
    const record = { ...figures, ...rejected, added: report.additions() }
    if (!dryRun) await finishRun(db, run.runId, now(), record, { alsoWrite: request.hooks?.onEnd })
    return { figures, report, preview }
  } catch (error) {
    // Kept for whoever looks later; what is said now is the error itself, even if it cannot be kept.
    const failure = { report: reportFileName(report), alsoWrite: request.hooks?.onEnd }
    if (!dryRun) await failRun(db, run.runId, now(), failureMessage(error), failure).catch(() => {})
    // What was found until then helps to say what is wrong.
    throw preview && error instanceof DomainError ? new ImportErrorWithPreview(error, preview) : error
  } finally {
    progress.clear()
    report.close()
  }
}

/** `20%` or `0.2`. */
function parseShare(option: string, text: string): number {
  const match = /^(\d{1,3}(?:\.\d+)?)\s*%$|^(0?\.\d+|0|1)$/.exec(text.trim())
  const share = match?.[1] === undefined ? Number(match?.[2]) : Number(match[1]) / 100
  if (!match || share > 1) throw invalid(option, text, 'a share such as 20%')
  return share
}

/** Reads the whole file once without writing and throws if it would reject too many rows or move prices too far. */
async function rejectBadFile(
  importer: Importer,
  source: ByteSource,
  run: ImportContext,
  limits: { readonly rejected: number; readonly change: number },
): Promise<void> {
  const report = createRowReport({ path: null, show: () => {} })
  let effect: PricePreview['effect'] = null
  const onPreview = (preview: PricePreview) => {
    effect = preview.effect
  }
  const { rows } = await importer.run(source, { ...run, dryRun: true, report, notify: () => {}, onPreview })
  const rejected = report.rejectedCount()
  const percent = (share: number) => `${Math.round(share * 1000) / 10} %`
  if (rejected > rows * limits.rejected) {
    const [reason = '', count = 0] = Object.entries(report.rejectedBy()).sort(([, a], [, b]) => b - a)[0] ?? []
    throw unreadableFile(
      `${rejected.toLocaleString('en')} of ${rows.toLocaleString('en')} rows (${percent(rejected / rows)}) would be rejected, more than ${percent(limits.rejected)}; nothing was imported. Most frequent reason: ${reason} (${count.toLocaleString('en')} rows).`,
    )
  }
  if (effect && Math.abs((effect as PriceEffect).averagePercent) > limits.change * 100) {
    throw unreadableFile(
      `${formatPriceEffect(effect)} That is more than ${percent(limits.change)}; nothing was imported.`,
    )
  }
}

/** The columns of a list were read before it was rejected. */
export class ImportErrorWithPreview extends DomainError {
  readonly preview: PricePreview
  constructor(refusal: DomainError, preview: PricePreview) {
    super(refusal.code, refusal.message, refusal.details, { cause: refusal })
    this.preview = preview
  }
}

/** What a record may say of it: a refusal as it stands, and of a bug of ours nothing. */
export function failureMessage(error: unknown): string {
  return error instanceof DomainError ? error.message : 'The program failed.'
}

/** Without its folder, which may be another one when it is looked for. */
function reportFileName(report: RowReport): string | null {
  const file = report.file()
  return file && basename(file)
}

function reportPath({ reportsFolder: reports, importer }: ImportRequest, startedAt: number): string | null {
  if (reports === null) return null
  const stamp = isoInstant(startedAt).replace(/[-:]/g, '').replace('.', '-')
  return `${reports}/import-${importer.format}-${stamp}.csv`
}
