/** An upload in the hands of the importer of its format: looked over, or imported. It runs in a process of its own. */
import type { UploadPreviewWire } from '../../contract/uploads.ts'
import type { Database } from '../../db/open.ts'
import { DomainError, invalid } from '../../errors.ts'
import { findImporter } from '../formats.ts'
import type { Progress } from '../progress.ts'
import { openSource } from '../read/source.ts'
import { failureSentence, type ImportOrder, RefusedPreview, runImport } from '../run-import.ts'
import { presentPreview, presentReport } from './present-preview.ts'
import type { UploadFolder } from './upload-folder.ts'
import { type Upload, uploadStore } from './upload-store.ts'

const TOLD_EVERY_MS = 500
const MOST_NOTES = 20

export type UploadOrder = {
  readonly db: Database
  readonly folder: UploadFolder
  /** Where the reports of rejected rows are kept. */
  readonly reports: string
  readonly now: () => number
  readonly stopping: AbortController
}

/** What is found is kept with the upload, where the page that asked for it sees it. */
export async function checkUpload(id: string, order: UploadOrder): Promise<void> {
  const { upload, store, begun } = await open(id, 'checking', order)
  const notes: string[] = []
  const howFar = tellingHowFar(upload, order)
  try {
    const imported = await runImport({
      ...(await begun),
      dryRun: true,
      reports: null,
      progress: howFar,
      tell: (sentence) => void (notes.length < MOST_NOTES && notes.push(sentence)),
    })
    const { figures, report, preview } = imported
    await howFar.settled()
    if (order.stopping.signal.aborted) throw new DomainError('unavailable', 'It was stopped. Check it again.')
    const found = { figures: { ...figures }, ...presentReport(report), notes }
    await store.checked(id, { ...found, prices: preview && presentPreview(preview) }, null)
  } catch (error) {
    await howFar.settled()
    await store.checked(
      id,
      error instanceof RefusedPreview ? refusedPreview(error, notes) : null,
      failureSentence(error),
    )
    throw error
  }
}

export async function runUpload(id: string, order: UploadOrder): Promise<void> {
  const { upload, store, begun } = await open(id, 'running', order)
  const howFar = tellingHowFar(upload, order)
  try {
    await runImport({
      ...(await begun),
      dryRun: false,
      reports: order.reports,
      progress: howFar,
      tell: howFar.note,
      record: {
        begun: (tx, runId) => store.runBegun(tx, id, runId),
        ended: (tx) => store.runEnded(tx, id),
      },
    })
  } catch (error) {
    // Where the run was not even recorded, the upload says why.
    if ((await store.find(id))?.state === 'running') await store.end(id, failureSentence(error))
    throw error
  } finally {
    await howFar.settled()
    await order.folder.remove(id)
  }
}

async function open(id: string, state: Upload['state'], order: UploadOrder) {
  const store = uploadStore(order.db)
  const upload = await store.find(id)
  const importer = upload && findImporter(upload.format)
  if (!upload || !importer || upload.state !== state) {
    throw new DomainError('conflict', 'This upload is not waiting for that; the dashboard starts it.')
  }
  const { force, ...options } = upload.options
  const begun = async (): Promise<Omit<ImportOrder, 'dryRun' | 'reports' | 'tell'>> => ({
    importer,
    source: { ...(await openSource(order.folder.pathOf(id))), name: upload.file },
    db: order.db,
    file: upload.file,
    options,
    force: force !== undefined,
    actor: { personId: upload.personId, who: upload.who },
    now: order.now,
    signal: order.stopping.signal,
    tellsRejected: false,
    open: async (name) => {
      throw invalid('file', name, 'nothing: an upload is one file')
    },
  })
  return { upload, store, begun: begun() }
}

/** Keeps with the upload how far it is, and hears there when somebody wants it stopped. */
function tellingHowFar(
  upload: Upload,
  { db, stopping }: UploadOrder,
): Progress & { note(text: string): void; settled(): Promise<void> } {
  const store = uploadStore(db)
  let toldAt = Number.NEGATIVE_INFINITY
  let note: string | null = null
  let telling: Promise<void> = Promise.resolve()
  let isTelling = false
  function tell(rows: number, percent: number | null): void {
    if (isTelling) return
    isTelling = true
    telling = store
      .tellHowFar(upload.id, { rows, percent, note })
      .then((goesOn) => {
        if (!goesOn) stopping.abort()
      })
      // How far it is may be unknown for a while; the import itself meets a store that is away.
      .catch(() => {})
      .finally(() => {
        isTelling = false
      })
  }
  return {
    at(rows, doneBytes, totalBytes) {
      const at = performance.now()
      if (at - toldAt < TOLD_EVERY_MS) return
      toldAt = at
      tell(rows, totalBytes ? Math.min(100, Math.floor((doneBytes / totalBytes) * 100)) : null)
    },
    clear() {},
    note(text) {
      note = text
      tell(0, null)
    },
    settled: () => telling,
  }
}

function refusedPreview({ preview }: RefusedPreview, notes: string[]): UploadPreviewWire {
  return {
    ...{ figures: {}, rejected_by: {}, remarks: {}, unknown: [], added: [], notes },
    prices: presentPreview(preview),
  }
}
