/** Checks or imports an upload, as a job. */

import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadPreviewWire } from '../../contract/uploads.ts'
import type { Database } from '../../db/database.ts'
import { type Job, jobStore } from '../../jobs/job-store.ts'
import { DomainError, invalid, unavailable } from '../../lib/errors.ts'
import { type Failure, failure, failureOf } from '../../lib/failure.ts'
import { reason } from '../../lib/reasons.ts'
import { writeAll } from '../../lib/write-all.ts'
import { ImportErrorWithPreview, type ImportRequest, runImport } from '../import-run-service.ts'
import { importScope } from '../import-run-store.ts'
import { findImporter } from '../importers.ts'
import { createProgressSaver, type JobProgressSaver } from '../job-progress-service.ts'
import { openByteSource } from '../read/byte-source-service.ts'
import { presentPreview, presentReport } from './present-preview.ts'
import { type Upload, uploadActor, uploadStore } from './upload-store.ts'

const MAX_NOTES = 20

export type UploadRunOptions = {
  readonly db: Database
  readonly dataDir: string
  /** The market of the service, for organizations that set none. */
  readonly defaultMarket: string
  readonly now: () => number
  readonly abortController: AbortController
  /** Whether an abort means that the job is continued later. */
  readonly willResume: () => boolean
}

/** Stores the preview with the upload, for the dashboard. */
export async function checkUpload(job: Job, options: UploadRunOptions): Promise<void> {
  const { now, abortController } = options
  const notes: Failure[] = []
  await withUpload(job, options, async (upload, request, progress) => {
    const store = uploadStore(options.db)
    try {
      const { counts, report, preview } = await runImport({
        ...request,
        dryRun: true,
        reportsFolder: null,
        notify: (sentence, why = reason('technical')) =>
          void (notes.length < MAX_NOTES && notes.push(failure(sentence, why))),
      })
      await progress.settled()
      if (abortController.signal.aborted)
        throw new DomainError('unavailable', 'It was stopped. Check it again.', reason('check_stopped'))
      const result = { counts: { ...counts }, ...presentReport(report), notes: notes.map(presentNote) }
      await store.checked(upload, { ...result, prices: preview && presentPreview(preview) }, null, now())
    } catch (error) {
      await progress.settled()
      if (!options.willResume()) {
        const preview = error instanceof ImportErrorWithPreview ? previewOfRejectedFile(error, notes) : null
        await store.checked(upload, preview, failureOf(error), now())
      }
      throw error
    }
  })
}

export async function runUpload(job: Job, options: UploadRunOptions): Promise<void> {
  await withUpload(job, options, async (upload, request, progress) => {
    try {
      const reportsFolder = join(options.dataDir, 'reports')
      await runImport({ ...request, dryRun: false, reportsFolder, notify: progress.note, jobId: job.id })
    } finally {
      await progress.settled()
      if (!options.willResume()) await uploadStore(options.db).forgetContent(upload.id)
    }
  })
}

async function withUpload(
  job: Job,
  options: UploadRunOptions,
  run: (
    upload: Upload,
    request: Omit<ImportRequest, 'dryRun' | 'reportsFolder' | 'notify'>,
    progress: JobProgressSaver,
  ) => Promise<void>,
): Promise<void> {
  const { db, abortController, now, willResume } = options
  const upload = await uploadStore(db).find(job.subject)
  const importer = upload && findImporter(upload.format)
  if (!upload || !importer) throw new DomainError('conflict', 'The upload of this job is gone.', reason('upload_ended'))
  const progress = createProgressSaver(jobStore(db), job.id, abortController)
  const { 'accept-shrink': acceptShrink, ...importOptions } = upload.options
  const folder = join(options.dataDir, 'uploads')
  try {
    const path = await writeContent(options, folder, upload)
    const request = {
      importer,
      source: { ...(await openByteSource(path)), name: upload.file },
      db,
      label: upload.file,
      options: importOptions,
      ...(await importScope(db, upload.organizationId, options.defaultMarket)),
      acceptShrink: acceptShrink !== undefined,
      actor: uploadActor(upload),
      now,
      progress,
      signal: abortController.signal,
      willResume,
      showsRejectedRows: false,
      open: async (name: string) => {
        throw invalid('file', name, 'nothing: an upload is one file')
      },
    }
    await run(upload, request, progress)
  } finally {
    await emptyFolder(folder)
  }
}

/** The bytes of an upload as a file of this machine, in place of those of earlier jobs: one job reads uploads at a time. */
async function writeContent({ db }: UploadRunOptions, folder: string, { id, bytes }: Upload): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await emptyFolder(folder)
  const path = join(folder, id)
  const file = await open(path, 'w', 0o600)
  try {
    let at = 0
    for await (const part of uploadStore(db).readContent(id)) {
      await writeAll(file, part, at)
      at += part.byteLength
    }
    // On a full disk the last write may be short without an error, and the end of the list would be missing.
    await file.sync()
    if ((await file.stat()).size !== bytes) throw unavailable('The upload could not be read completely. Try again.', 60)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
    throw unavailable('There is no room left for uploads on the disk of the service.', 60, error)
  } finally {
    await file.close()
  }
  return path
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) await rm(join(folder, name), { force: true })
}

const presentNote = ({ params, ...note }: Failure) => ({ ...note, ...(params ? { params: { ...params } } : {}) })

function previewOfRejectedFile({ preview }: ImportErrorWithPreview, notes: readonly Failure[]): UploadPreviewWire {
  return {
    counts: {},
    rejected_by: {},
    remarks: {},
    unknown_models: [],
    added: [],
    notes: notes.map(presentNote),
    prices: presentPreview(preview),
  }
}
