import type { Actor } from '../../auth/actor.ts'
import { PART_BYTES, UPLOAD_OPTIONS_BY_FORMAT, type UploadFormat } from '../../contract/uploads.ts'
import type { Database } from '../../db/database.ts'
import { jobStore } from '../../jobs/job-store.ts'
import { conflict, DomainError, invalid, unknownId } from '../../lib/errors.ts'
import { failure } from '../../lib/failure.ts'
import { reason } from '../../lib/reasons.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { ImportHistory } from '../import-history-service.ts'
import type { ImportRun } from '../import-run-store.ts'
import { profileStore } from '../prices/profile-store.ts'
import { type Upload, uploadStore } from './upload-store.ts'

/** Older uploads are deleted, because they may contain personal data. */
const MAX_AGE_MS = DAY_MS

const MEGABYTE = 1024 * 1024

const REPLACED = failure('Another file was chosen in its place.', reason('upload_replaced'))
const EXPIRED = failure(
  'The file was deleted, because it was not imported within a day. Choose it again.',
  reason('upload_expired'),
)

export type UploadService = ReturnType<typeof openUploadService>

/** Who uploads: one person or key at a time for one organization. */
export type UploadOwner = {
  readonly organizationId: string
  readonly ownerId: string
  readonly actor: Actor
}

type NewUpload = {
  readonly format: UploadFormat
  readonly file: string
  readonly bytes: number
}

type UploadServiceDependencies = {
  readonly db: Database
  readonly imports: Pick<ImportHistory, 'find' | 'findRejectedRows'>
  /** Largest file; 0 if uploads are switched off. */
  readonly maxBytes: number
}

/** Receives lists and queues jobs that check and import them. */
export function openUploadService({ db, imports, maxBytes }: UploadServiceDependencies) {
  const store = uploadStore(db)

  async function startCheck(upload: Upload, options: Upload['options'], now: number): Promise<Upload> {
    await store.beginCheck(upload, options, now)
    return store.read(upload.organizationId, upload.id)
  }

  return {
    store,
    profiles: profileStore(db).list,
    maxBytes,

    findRun: async ({ runId }: Upload): Promise<ImportRun | undefined> =>
      runId === null ? undefined : imports.find(runId),

    receivedBytes: async ({ id, state, bytes }: Upload): Promise<number> =>
      state === 'ended' ? bytes : store.receivedBytes(id),

    /** Begins an upload in place of the unfinished one of the same owner. */
    async begin(owner: UploadOwner, { format, file, bytes }: NewUpload, now: number): Promise<Upload> {
      if (bytes > maxBytes) {
        throw new DomainError(
          'too_large',
          `A list may have ${maxBytes / MEGABYTE} MB at most.`,
          reason('list_too_large', { megabytes: maxBytes / MEGABYTE }),
        )
      }
      const previous = await store.newestOf(owner.organizationId, owner.ownerId)
      if (previous && (previous.state === 'receiving' || previous.state === 'checked')) {
        await store.discard(previous, REPLACED)
      }
      return store.begin(owner, { format, file: sanitizeFileName(file), bytes }, now)
    },

    /** Appends a part at its offset and returns the number of bytes received so far. */
    async addPart(owner: UploadOwner, id: string, at: number, part: Uint8Array): Promise<number> {
      const upload = await store.read(owner.organizationId, id)
      if (upload.ownerId !== owner.ownerId) throw unknownId('upload', id)
      if (upload.state !== 'receiving')
        throw conflict('upload', 'This upload takes no more bytes.', reason('upload_ended'))
      if (at + part.byteLength > Math.min(upload.bytes, at + PART_BYTES)) {
        throw new DomainError('too_large', 'The part has more bytes than the upload declared.', reason('technical'))
      }
      return store.addPart(id, at, part)
    },

    /** Checks an upload with the options of an import; nothing is written. */
    async check(owner: UploadOwner, id: string, options: Upload['options'], now: number): Promise<Upload> {
      const upload = await store.read(owner.organizationId, id)
      const allowedOptions: readonly string[] = UPLOAD_OPTIONS_BY_FORMAT[upload.format as UploadFormat]
      const unknown = Object.keys(options).find((name) => !allowedOptions.includes(name))
      if (unknown !== undefined) throw invalid('options', unknown, `among ${allowedOptions.join(', ')}`)
      if ((await store.receivedBytes(id)) !== upload.bytes) {
        throw conflict('upload', 'The upload is incomplete. Choose the file again.', reason('upload_incomplete'))
      }
      return startCheck(upload, options, now)
    },

    /** Imports a checked upload. */
    async run(owner: UploadOwner, id: string, now: number): Promise<Upload> {
      const upload = await store.read(owner.organizationId, id)
      await store.beginRun(upload, owner.actor, now)
      return store.read(owner.organizationId, id)
    },

    /** Makes an upload of the rejected rows of an import and checks it with the options of the import. */
    async retryImport(owner: UploadOwner, runId: string, now: number): Promise<Upload> {
      const { run, content } = await imports.findRejectedRows(runId)
      const report = Buffer.concat((await Array.fromAsync(content)).map((piece) => Buffer.from(piece)))
      // The source of rows without one is the name of the file, so the rows keep that of the first import.
      const file = { format: run.format as UploadFormat, file: sanitizeFileName(run.file), bytes: report.byteLength }
      const upload = await store.begin(owner, file, now)
      for (let at = 0; at < report.byteLength; at += PART_BYTES) {
        await store.addPart(upload.id, at, report.subarray(at, at + PART_BYTES))
      }
      return startCheck(upload, await store.optionsOfRun(runId), now)
    },

    async stop(owner: UploadOwner, id: string, now: number): Promise<void> {
      const { jobId } = await store.read(owner.organizationId, id)
      if (jobId !== null) await jobStore(db).cancel(jobId, now)
    },

    /** Deletes the file of an upload that no job reads. */
    async discard(owner: UploadOwner, id: string): Promise<void> {
      const upload = await store.read(owner.organizationId, id)
      if (upload.state === 'checking' || upload.state === 'running') {
        throw conflict('upload', 'This upload is being read. Stop it first.', reason('upload_being_read'))
      }
      if (upload.state !== 'ended') await store.discard(upload, null)
    },

    /** Deletes the bytes of uploads that were imported or not used for a day. */
    async removeExpired(now: number): Promise<void> {
      for (const upload of await store.withContent()) {
        if (upload.state === 'checking' || upload.state === 'running') continue
        if (upload.state === 'ended') await store.forgetContent(upload.id)
        else if (now - upload.createdAt > MAX_AGE_MS) await store.discard(upload, EXPIRED)
      }
    },
  }
}

/** The file name without folders and invisible characters. */
function sanitizeFileName(file: string): string {
  const name = file.split(/[/\\]/).at(-1) ?? ''
  return (
    name
      .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
      .trim()
      .slice(0, 120) || 'upload'
  )
}
