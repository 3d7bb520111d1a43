/** One run of an importer from its turn to its record, whoever asked for it. */

import { catalogueVersion, devicesOnBoard, tacsOnBoard } from '../catalog/onboard.ts'
import type { Database } from '../db/open.ts'
import { DomainError } from '../errors.ts'
import { sortableId } from '../id.ts'
import { isoInstant } from '../time.ts'
import { loadOnBoard } from './catalogue/on-board.ts'
import type { ImportContext, Importer, ImportResult } from './importer.ts'
import { openProgress } from './progress.ts'
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
  /** Where the reports of rejected rows are kept. */
  readonly reports: string
  readonly now: () => number
  readonly tell: (sentence: string) => void
  readonly signal: AbortSignal
}

export type Imported = { readonly figures: ImportResult; readonly report: RowReport }

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
  const progress = openProgress(importer.format, process.stderr)
  const tell = (line: string) => {
    progress.clear()
    order.tell(line)
  }
  const startedAt = now()
  const report = openRowReport({ path: reportPath(order, startedAt), show: tell })
  const run: ImportContext = {
    db,
    now,
    dryRun,
    force,
    options,
    report,
    progress,
    note: tell,
    signal,
    runId: sortableId('imp', startedAt),
    open: (name) => openSource(name),
  }
  try {
    if (!dryRun) {
      // Lists are matched against the devices on board, so these come first even before the service ever started.
      await loadOnBoard(db, {
        version: catalogueVersion(),
        devices: devicesOnBoard,
        tacs: tacsOnBoard,
      })
      await startRun(db, { id: run.runId, format: importer.format, file, startedAt })
    }
    const result = await importer.run(source, run)
    if (result.rows === 0 && !importer.mayBeEmpty) {
      throw unreadable(`${file} holds nothing that the format ${importer.format} knows; nothing was imported.`)
    }
    const figures = { ...result, rejected: report.rejected() }
    const record = { ...figures, rejectedBy: report.rejectedBy(), added: report.additions() }
    if (!dryRun) await finishRun(db, run.runId, now(), record)
    return { figures, report }
  } catch (error) {
    // Kept for whoever looks later; what is said now is the error itself, even if it cannot be kept.
    if (!dryRun) await failRun(db, run.runId, now(), failureSentence(error)).catch(() => {})
    throw error
  } finally {
    progress.clear()
    report.close()
  }
}

/** What a record may say of it: a refusal as it stands, and of a bug of ours nothing. */
export function failureSentence(error: unknown): string {
  return error instanceof DomainError ? error.message : 'The program failed.'
}

function reportPath({ reports, importer }: ImportOrder, startedAt: number): string {
  const stamp = isoInstant(startedAt).replace(/[-:]/g, '').replace('.', '-')
  return `${reports}/import-${importer.format}-${stamp}.csv`
}
