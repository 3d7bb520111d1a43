/** One run of an importer from its turn to its record, whoever asked for it. */

import { basename } from 'node:path'
import type { Actor } from '../access/actor.ts'
import { catalogueVersion, devicesOnBoard, tacsOnBoard } from '../catalog/onboard.ts'
import type { Database, Tx } from '../db/open.ts'
import { DomainError } from '../errors.ts'
import { sortableId } from '../id.ts'
import { isoInstant } from '../time.ts'
import { loadOnBoard } from './catalogue/on-board.ts'
import type { ImportContext, Importer, ImportResult } from './importer.ts'
import type { PricePreview } from './market/preview.ts'
import { openProgress, type Progress } from './progress.ts'
import { openSource, type Source } from './read/source.ts'
import { unreadable } from './read/unreadable.ts'
import { openRowReport, type RowReport } from './report.ts'
import { failRun, finishRun, startRun } from './run-store.ts'
import { inTurn } from './turn.ts'

export type ImportOrder = {
  readonly importer: Importer
  readonly source: Source
  readonly db: Database
  /** What the record of the run says it was of. */
  readonly file: string
  readonly options: Readonly<Record<string, string>>
  readonly dryRun: boolean
  readonly force: boolean
  /** Where the reports of rejected rows are kept; null: rejected rows are only counted. */
  readonly reports: string | null
  /** Who asked for it, as the audit trail names them. */
  readonly actor: Actor
  readonly now: () => number
  readonly tell: (sentence: string) => void
  readonly signal: AbortSignal
  /** The first rejected rows are told one by one, unless they are shown otherwise. */
  readonly tellsRejected?: boolean
  /** Where it is told how far it is, if not on stderr. */
  readonly progress?: Progress
  /** What else is recorded of the run, each in the transaction of the record itself. */
  readonly record?: RunRecord
  /** Opens a second file that an option names; where it is not given, any file that this user may read. */
  readonly open?: ImportContext['open']
}

export type RunRecord = {
  readonly begun: (tx: Tx, runId: string) => Promise<void>
  readonly ended: (tx: Tx) => Promise<void>
}

export type Imported = {
  readonly figures: ImportResult
  readonly report: RowReport
  /** Of a dry run, where the format has one. */
  readonly preview: PricePreview | null
}

/** Waits for its turn where another import rewrites the same. A failed run is recorded before the failure goes on. */
export async function runImport(order: ImportOrder): Promise<Imported> {
  const { importer, db, dryRun, tell, signal } = order
  const { rewrites } = importer
  if (dryRun || !rewrites) return runAndRecord(order)
  return inTurn(
    (work, onWait) => db.alone(`import-${rewrites}`, work, onWait),
    () => runAndRecord(order),
    () => tell(`Another import into the ${rewrites} is running; this one starts when it has ended.`),
    signal,
  )
}

async function runAndRecord(order: ImportOrder): Promise<Imported> {
  const { importer, source, db, file, options, dryRun, force, now, signal } = order
  const progress = order.progress ?? openProgress(importer.format, process.stderr)
  let preview: PricePreview | null = null
  const tell = (line: string) => {
    progress.clear()
    order.tell(line)
  }
  const startedAt = now()
  const report = openRowReport({
    path: reportPath(order, startedAt),
    show: order.tellsRejected === false ? () => {} : tell,
  })
  const run: ImportContext = {
    db,
    now,
    dryRun,
    force,
    options,
    report,
    progress,
    preview(found) {
      preview = found
    },
    note: tell,
    signal,
    actor: order.actor,
    runId: sortableId('imp', startedAt),
    open: order.open ?? ((name) => openSource(name)),
  }
  try {
    if (!dryRun) {
      // Lists are matched against the devices on board, so these come first even before the service ever started.
      await loadOnBoard(db, {
        version: catalogueVersion(),
        devices: devicesOnBoard,
        tacs: tacsOnBoard,
      })
      await startRun(db, { id: run.runId, format: importer.format, file, startedAt }, order.record?.begun)
    }
    const result = await importer.run(source, run)
    if (result.rows === 0 && !importer.mayBeEmpty) {
      throw unreadable(`${file} holds nothing that the format ${importer.format} knows; nothing was imported.`)
    }
    const figures = { ...result, rejected: report.rejected() }
    const rejected = { rejectedBy: report.rejectedBy(), report: reportName(report) }
    const record = { ...figures, ...rejected, added: report.additions() }
    if (!dryRun) await finishRun(db, run.runId, now(), record, { also: order.record?.ended })
    return { figures, report, preview }
  } catch (error) {
    // Kept for whoever looks later; what is said now is the error itself, even if it cannot be kept.
    const failure = { report: reportName(report), also: order.record?.ended }
    if (!dryRun) await failRun(db, run.runId, now(), failureSentence(error), failure).catch(() => {})
    // What was found until then helps to say what is wrong.
    throw preview && error instanceof DomainError ? new RefusedPreview(error, preview) : error
  } finally {
    progress.clear()
    report.close()
  }
}

/** A list that was refused after its columns were seen. */
export class RefusedPreview extends DomainError {
  readonly preview: PricePreview
  constructor(refusal: DomainError, preview: PricePreview) {
    super(refusal.code, refusal.message, refusal.details, { cause: refusal })
    this.preview = preview
  }
}

/** What a record may say of it: a refusal as it stands, and of a bug of ours nothing. */
export function failureSentence(error: unknown): string {
  return error instanceof DomainError ? error.message : 'The program failed.'
}

/** Without its folder, which may be another one when it is looked for. */
function reportName(report: RowReport): string | null {
  const file = report.file()
  return file && basename(file)
}

function reportPath({ reports, importer }: ImportOrder, startedAt: number): string | null {
  if (reports === null) return null
  const stamp = isoInstant(startedAt).replace(/[-:]/g, '').replace('.', '-')
  return `${reports}/import-${importer.format}-${stamp}.csv`
}
