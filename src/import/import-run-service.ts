/** Runs an importer: waits for its lock, reads the file, records the result. */

import { basename } from 'node:path'
import type { Actor } from '../auth/actor.ts'
import { type AuditEntry, WHOLE_SERVICE, writeAuditEntry } from '../auth/audit-store.ts'
import { bundledCatalogueVersion, bundledDevices, bundledTacs } from '../catalog/bundled-catalogue-service.ts'
import type { Database, Tx } from '../db/database.ts'
import { newJobId } from '../jobs/job-store.ts'
import { DomainError, invalid } from '../lib/errors.ts'
import { failureOf } from '../lib/failure.ts'
import { reason } from '../lib/reasons.ts'
import { englishRejection } from '../lib/rejection-texts.ts'
import { seedCatalogue } from './catalogue/seed-catalogue-service.ts'
import { withCommandLane } from './command-lane-service.ts'
import { withImportLock } from './import-lock.ts'
import { failRun, finishRun, startRun, startRunOfJob } from './import-run-store.ts'
import type { ImportContext, Importer, ImportResult, ImportSummary, Notify } from './importer.ts'
import { formatPriceEffect, type PriceEffect } from './prices/price-effect.ts'
import type { PricePreview } from './prices/price-preview.ts'
import { resolveProfile } from './prices/profile-store.ts'
import { createProgress, type Progress } from './progress-service.ts'
import { type ByteSource, openByteSource, withRepeatableSource } from './read/byte-source-service.ts'
import { withUnpackedSource } from './read/unpack-service.ts'
import { unreadableFile } from './read/unreadable-file.ts'
import { reportPath } from './report-path.ts'
import { createRowReport, type RowReport } from './row-report-service.ts'

export type ImportRequest = {
  readonly importer: Importer
  readonly source: ByteSource
  readonly db: Database
  /** Names the file in the record of the run. */
  readonly label: string
  readonly options: Readonly<Record<string, string>>
  readonly dryRun: boolean
  /** The operator confirmed that a list may shrink beyond the guard. */
  readonly acceptShrink: boolean
  /** Folder for reports of rejected rows; null: rejected rows are only counted. */
  readonly reportsFolder: string | null
  /** Who asked for it, as the audit trail names them. */
  readonly actor: Actor
  /** The organization whose own prices are imported; absent for the common market. */
  readonly organizationId?: string
  /** The market of prices whose rows name none and whose currency says nothing. */
  readonly defaultMarket: string
  readonly now: () => number
  readonly notify: Notify
  readonly signal: AbortSignal
  /** Whether the first rejected rows are reported one by one; true if absent. */
  readonly showsRejectedRows?: boolean
  /** Where progress is shown; stderr if absent. */
  readonly progress?: Progress
  /** The job that this is part of; recorded as a job of its own if absent. */
  readonly jobId?: string
  /** Whether the job is continued later: then an abort is no failure. */
  readonly willResume?: () => boolean
  /** Whether answers that a file gives in other words are taken without asking. */
  readonly acceptsGuesses?: boolean
  /** Opens a second file that an option names; by default any file that this user may read. */
  readonly open?: ImportContext['open']
}

export type ImportOutcome = {
  readonly counts: ImportResult
  readonly report: RowReport
  /** Of a dry run, if the format has previews. */
  readonly preview: PricePreview | null
  /** Null for formats with fixed columns. */
  readonly summary: ImportSummary | null
  readonly runId: string
}

/** Waits while another import rewrites the same data. A failed run is recorded before the error is thrown. */
export async function runImport(request: ImportRequest): Promise<ImportOutcome> {
  const { db, dryRun, notify, signal } = request
  const target = request.importer.exclusiveTarget
  if (!dryRun && !request.jobId) {
    return withCommandLane(db, (lane) => (target ? runExclusively(lane) : runAndRecord(request, lane)))
  }
  return dryRun || !target ? runAndRecord(request) : runExclusively()

  function runExclusively(lane?: string): Promise<ImportOutcome> {
    const onWait = () => notify(`Another import into the ${target} is running; this one starts when it has ended.`)
    return withImportLock({ db, name: `import-${target}`, onWait, signal }, () => runAndRecord(request, lane))
  }
}

/** `lane` is that of a command. */
async function runAndRecord(request: ImportRequest, lane = ''): Promise<ImportOutcome> {
  const { importer, source, db, label: file, dryRun, acceptShrink, now, signal } = request
  const progress = request.progress ?? createProgress(importer.format, process.stderr)
  let preview: PricePreview | null = null
  let summary: ImportSummary | null = null
  const notify: Notify = (line, why) => {
    progress.clear()
    request.notify(line, why)
  }
  const startedAt = now()
  const report = createRowReport({
    path: request.reportsFolder && reportPath(request.reportsFolder, importer.format, startedAt),
    show: request.showsRejectedRows === false ? () => {} : notify,
  })
  const run: Omit<ImportContext, 'options'> = {
    db,
    now,
    dryRun,
    acceptShrink,
    report,
    progress,
    notify,
    signal,
    actor: request.actor,
    onPreview(builtPreview) {
      preview = builtPreview
    },
    onSummary(readAs) {
      summary ??= readAs
    },
    acceptsGuesses: request.acceptsGuesses,
    organizationId: request.organizationId ?? '',
    defaultMarket: request.defaultMarket,
    runId: request.jobId ?? newJobId(startedAt),
    open: request.open ?? ((name) => openByteSource(name)),
  }
  const organizationId = request.organizationId || null
  async function endRun(tx: Tx, audit?: Pick<AuditEntry, 'action' | 'detail'>): Promise<void> {
    if (!audit) return
    // File names of the operator are not shown to other organizations.
    const detail = { format: importer.format, ...(organizationId ? { file } : {}), ...audit.detail }
    await writeAuditEntry(
      tx,
      organizationId ?? WHOLE_SERVICE,
      request.actor,
      { ...audit, subject: run.runId, detail },
      now(),
    )
  }
  try {
    // Lists are matched against the bundled devices, so seed them first even if the service never ran.
    await seedCatalogue(db, { version: bundledCatalogueVersion(), devices: bundledDevices, tacs: bundledTacs })
    if (!dryRun) {
      if (request.jobId) await startRunOfJob(db, request.jobId, startedAt, organizationId)
      else
        await startRun(db, { id: run.runId, format: importer.format, file, startedAt, organizationId, subject: lane })
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
    const result = await withUnpackedSource(
      source,
      { encoding, sheet, allSheets: importer.takesSeveralFiles === true },
      async (list) => {
        if (list.members && !importer.takesSeveralFiles) {
          const names = list.members.map(({ name }) => name).join(', ')
          throw unreadableFile(
            `${file} holds several files (${names}); unpack it and import one of them.`,
            reason('file_several', { name: file }),
          )
        }
        const profileOptions = Object.keys(options).filter((name) => request.options[name] === undefined)
        const context = { ...run, options, profileOptions }
        if (maxRejected === undefined && maxChange === undefined) return importer.run(list, context)
        return withRepeatableSource(list, async (repeatable) => {
          await rejectBadFile(importer, repeatable, context, limits)
          return importer.run(repeatable, context)
        })
      },
    )
    if (result.rows === 0 && !importer.allowsEmpty) {
      throw unreadableFile(
        `${file} has no rows for the format ${importer.format}: it is empty below its header, or of another format. Nothing was imported.`,
        reason('file_without_rows', { name: file }),
      )
    }
    const counts = { ...result, rejected: report.rejectedCount() }
    const rejected = { rejectedBy: report.rejectedBy(), report: reportFileName(report) }
    const read = summary as ImportSummary | null
    const record = {
      ...counts,
      ...rejected,
      added: report.additions(),
      ...(read && { summary: { ...read, remarks: report.remarks() } }),
    }
    if (!dryRun) {
      const detail = { rows: String(counts.rows), rejected: String(counts.rejected) }
      // Identifier lists have an entry of their own that names the list.
      const audit = importer.format === 'lists' ? undefined : ({ action: 'import.finished', detail } as const)
      await finishRun(db, run.runId, now(), record, { alsoWrite: (tx) => endRun(tx, audit) })
    }
    return { counts, report, preview, summary, runId: run.runId }
  } catch (error) {
    // If the failure cannot be recorded, the caller still gets the original error.
    const alsoWrite = (tx: Tx) => endRun(tx, { action: 'import.failed', detail: {} })
    const failure = { report: reportFileName(report), alsoWrite }
    if (!dryRun && !(signal.aborted && request.willResume?.()))
      await failRun(db, run.runId, now(), failureOf(error), failure).catch(() => {})
    // The columns read so far help to find the problem.
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
  if (!match || share > 1) throw invalid(option, text, 'a share such as 20%', reason('not_a_share'))
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
    const [frequent = '', count = 0] = Object.entries(report.rejectedBy()).sort(([, a], [, b]) => b - a)[0] ?? []
    throw unreadableFile(
      `${rejected.toLocaleString('en')} of ${rows.toLocaleString('en')} rows (${percent(rejected / rows)}) would be rejected, more than ${percent(limits.rejected)}; nothing was imported. Most frequent reason: ${englishRejection(frequent)} (${count.toLocaleString('en')} rows).`,
      reason('too_many_rejected', { rejected, rows, limit: percent(limits.rejected) }),
    )
  }
  if (effect && Math.abs((effect as PriceEffect).averagePercent) > limits.change * 100) {
    throw unreadableFile(
      `${formatPriceEffect(effect)} That is more than ${percent(limits.change)}; nothing was imported.`,
      reason('prices_change_too_much', { limit: percent(limits.change) }),
    )
  }
}

/** The columns of a list were read before it was rejected. */
export class ImportErrorWithPreview extends DomainError {
  readonly preview: PricePreview
  constructor(error: DomainError, preview: PricePreview) {
    super(error.code, error.message, error.reason, error.details, { cause: error })
    this.preview = preview
  }
}

/** Without its folder, which may have moved when the report is read. */
function reportFileName(report: RowReport): string | null {
  const file = report.file()
  return file && basename(file)
}
