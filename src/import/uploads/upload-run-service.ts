/** Checks or imports an upload in a child process. */
import type { UploadPreviewWire } from '../../contract/uploads.ts'
import type { Database } from '../../db/database.ts'
import { DomainError, invalid } from '../../lib/errors.ts'
import { failureMessage, ImportErrorWithPreview, type ImportRequest, runImport } from '../import-run-service.ts'
import { importScope } from '../import-run-store.ts'
import { findImporter } from '../importers.ts'
import type { Progress } from '../progress-service.ts'
import { openByteSource } from '../read/byte-source-service.ts'
import { presentPreview, presentReport } from './present-preview.ts'
import type { UploadFolder } from './upload-folder-service.ts'
import { type Upload, uploadActor, uploadStore } from './upload-store.ts'

const SAVE_PROGRESS_EVERY_MS = 500
const MAX_NOTES = 20

export type UploadRunOptions = {
  readonly db: Database
  readonly folder: UploadFolder
  /** The market of the service, for organizations that set none. */
  readonly defaultMarket: string
  /** Folder for reports of rejected rows. */
  readonly reportsFolder: string
  readonly now: () => number
  readonly abortController: AbortController
}

/** Stores the preview with the upload, for the dashboard. */
export async function checkUpload(id: string, runOptions: UploadRunOptions): Promise<void> {
  const { upload, store, request } = await openUpload(id, 'checking', runOptions)
  const notes: string[] = []
  const progressSaver = createProgressSaver(upload, runOptions)
  try {
    const imported = await runImport({
      ...(await request),
      dryRun: true,
      reportsFolder: null,
      progress: progressSaver,
      notify: (sentence) => void (notes.length < MAX_NOTES && notes.push(sentence)),
    })
    const { counts, report, preview } = imported
    await progressSaver.settled()
    if (runOptions.abortController.signal.aborted)
      throw new DomainError('unavailable', 'It was stopped. Check it again.')
    const result = { counts: { ...counts }, ...presentReport(report), notes }
    await store.checked(id, { ...result, prices: preview && presentPreview(preview) }, null)
  } catch (error) {
    await progressSaver.settled()
    await store.checked(
      id,
      error instanceof ImportErrorWithPreview ? previewOfRejectedFile(error, notes) : null,
      failureMessage(error),
    )
    throw error
  }
}

export async function runUpload(id: string, runOptions: UploadRunOptions): Promise<void> {
  const { upload, store, request } = await openUpload(id, 'running', runOptions)
  const progressSaver = createProgressSaver(upload, runOptions)
  try {
    await runImport({
      ...(await request),
      dryRun: false,
      reportsFolder: runOptions.reportsFolder,
      progress: progressSaver,
      notify: progressSaver.note,
      hooks: {
        onStart: (tx, runId) => store.runStarted(tx, id, runId),
        onEnd: (tx) => store.runEnded(tx, id),
      },
    })
  } catch (error) {
    // If the run was not recorded, the upload stores the failure.
    if ((await store.find(id))?.state === 'running') await store.end(id, failureMessage(error))
    throw error
  } finally {
    await progressSaver.settled()
    await runOptions.folder.remove(id)
  }
}

async function openUpload(id: string, state: Upload['state'], runOptions: UploadRunOptions) {
  const store = uploadStore(runOptions.db)
  const upload = await store.find(id)
  const importer = upload && findImporter(upload.format)
  if (!upload || !importer || upload.state !== state) {
    throw new DomainError('conflict', 'This upload is not waiting for that; the dashboard starts it.')
  }
  const { 'accept-shrink': acceptShrink, ...options } = upload.options
  const createRequest = async (): Promise<Omit<ImportRequest, 'dryRun' | 'reportsFolder' | 'notify'>> => ({
    importer,
    source: { ...(await openByteSource(runOptions.folder.pathOf(id))), name: upload.file },
    db: runOptions.db,
    label: upload.file,
    options,
    ...(await importScope(runOptions.db, upload.organizationId, runOptions.defaultMarket)),
    acceptShrink: acceptShrink !== undefined,
    actor: uploadActor(upload),
    now: runOptions.now,
    signal: runOptions.abortController.signal,
    showsRejectedRows: false,
    open: async (name) => {
      throw invalid('file', name, 'nothing: an upload is one file')
    },
  })
  return { upload, store, request: createRequest() }
}

/** Stores the progress of an upload and aborts when a stop was requested. */
function createProgressSaver(
  upload: Upload,
  { db, abortController }: UploadRunOptions,
): Progress & { note(text: string): void; settled(): Promise<void> } {
  const store = uploadStore(db)
  let savedAt = Number.NEGATIVE_INFINITY
  let note: string | null = null
  let saving: Promise<void> = Promise.resolve()
  let isSaving = false
  function save(rows: number, percent: number | null): void {
    if (isSaving) return
    isSaving = true
    saving = store
      .saveProgress(upload.id, { rows, percent, note })
      .then((shouldContinue) => {
        if (!shouldContinue) abortController.abort()
      })
      // Progress may be missing for a while; the import itself reports a database that is unavailable.
      .catch(() => {})
      .finally(() => {
        isSaving = false
      })
  }
  return {
    at(rows, doneBytes, totalBytes) {
      const now = performance.now()
      if (now - savedAt < SAVE_PROGRESS_EVERY_MS) return
      savedAt = now
      save(rows, totalBytes ? Math.min(100, Math.floor((doneBytes / totalBytes) * 100)) : null)
    },
    clear() {},
    note(text) {
      note = text
      save(0, null)
    },
    settled: () => saving,
  }
}

function previewOfRejectedFile({ preview }: ImportErrorWithPreview, notes: string[]): UploadPreviewWire {
  return {
    counts: {},
    rejected_by: {},
    remarks: {},
    unknown_models: [],
    added: [],
    notes,
    prices: presentPreview(preview),
  }
}
