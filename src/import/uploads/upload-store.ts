/** Uploaded lists: owner, options, preview and bytes. Their state follows from their newest job. */

import type { Actor } from '../../auth/actor.ts'
import { writeAuditEntry } from '../../auth/audit-store.ts'
import type { UploadPreviewWire, UploadState } from '../../contract/uploads.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { UploadTable } from '../../db/schema.ts'
import { type Job, jobStore } from '../../jobs/job-store.ts'
import { conflict, unknownId } from '../../lib/errors.ts'
import { type Failure, parseFailure } from '../../lib/failure.ts'
import { sortableId } from '../../lib/id.ts'
import { reason } from '../../lib/reasons.ts'
import { maskFailure } from '../import-run-store.ts'

export type Upload = ReturnType<typeof toUpload>

/** Who sent it, for the audit trail. */
export const uploadActor = ({ ownerId, ownerLabel }: Upload): Actor => ({
  personId: ownerId.startsWith('key_') ? null : ownerId,
  who: ownerLabel,
})

export function uploadStore(db: Database) {
  const jobs = jobStore(db)

  async function change(tx: Tx, id: string, values: Partial<UploadTable>): Promise<void> {
    await tx.updateTable('upload').set(values).where('id', '=', id).execute()
  }

  async function withJob(row: UploadTable | undefined): Promise<Upload | undefined> {
    return row && toUpload(row, row.job_id === null ? undefined : await jobs.find(row.job_id))
  }

  const find = async (id: string) =>
    withJob(await db.query.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst())

  /** Another organization's upload is not found, so that its existence does not leak. */
  async function read(organizationId: string, id: string): Promise<Upload> {
    const upload = await find(id)
    if (upload?.organizationId !== organizationId) throw unknownId('upload', id)
    return upload
  }

  /** Queues a check or an import in place of the last check. */
  async function enqueue(
    upload: Upload,
    kind: 'upload-check' | 'upload',
    values: Partial<UploadTable>,
    now: number,
    alsoWrite: (tx: Tx) => Promise<void> = async () => {},
  ): Promise<void> {
    const { id, format, file, organizationId, jobId } = upload
    await db.transaction(async (tx) => {
      const job_id = await jobs.enqueue(tx, { kind, subject: id, format, file, now })
      const { numUpdatedRows } = await tx
        .updateTable('upload')
        .set({ ...values, job_id })
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .where('job_id', jobId === null ? 'is' : '=', jobId)
        .where('is_discarded', '=', 0)
        .executeTakeFirst()
      if (Number(numUpdatedRows) === 0)
        throw conflict('upload', 'This upload was changed meanwhile. Reload the page.', reason('changed_meanwhile'))
      if (jobId !== null) await jobs.remove(tx, jobId)
      await alsoWrite(tx)
    })
  }

  async function forgetContent(id: string): Promise<void> {
    await db.transaction(async (tx) => {
      await tx.deleteFrom('upload_part').where('upload_id', '=', id).execute()
      await change(tx, id, { preview: null })
    })
  }

  async function receivedBytes(tx: Tx, id: string): Promise<number> {
    const { received } = await tx
      .selectFrom('upload_part')
      .select(({ fn }) => fn.sum<number | null>('bytes').as('received'))
      .where('upload_id', '=', id)
      .executeTakeFirstOrThrow()
    return Number(received ?? 0)
  }

  return {
    find,
    read,
    forgetContent,
    receivedBytes: (id: string) => receivedBytes(db.query, id),

    /** The options of an import that came from an upload. */
    async optionsOfRun(runId: string): Promise<Upload['options']> {
      const row = await db.query.selectFrom('upload').selectAll().where('job_id', '=', runId).executeTakeFirst()
      return (await withJob(row))?.options ?? {}
    },

    async begin(
      owner: { organizationId: string; ownerId: string; actor: Actor },
      list: { format: string; file: string; bytes: number },
      now: number,
    ) {
      const id = sortableId('upl', now)
      await db.transaction((tx) =>
        tx
          .insertInto('upload')
          .values({
            id,
            ...list,
            organization_id: owner.organizationId,
            owner_id: owner.ownerId,
            created_by: owner.actor.who,
            options: '{}',
            preview: null,
            job_id: null,
            is_discarded: 0,
            discard_reason: null,
            created_at: now,
          })
          .execute(),
      )
      return read(owner.organizationId, id)
    },

    /** Appends a part at its offset and returns the number of bytes received so far. */
    async addPart(id: string, at: number, part: Uint8Array): Promise<number> {
      return db.transaction(async (tx) => {
        // Parts of one upload are added one after the other, also by several processes.
        await tx
          .updateTable('upload')
          .set((columns) => ({ bytes: columns.ref('bytes') }))
          .where('id', '=', id)
          .execute()
        const stored = await receivedBytes(tx, id)
        if (stored !== at)
          throw conflict(
            'at',
            `The upload has ${stored} bytes so far; the next part begins there.`,
            reason('technical'),
          )
        const content = Buffer.from(part).toString('base64')
        await tx.insertInto('upload_part').values({ upload_id: id, at, bytes: part.byteLength, content }).execute()
        return at + part.byteLength
      })
    },

    async *readContent(id: string): AsyncGenerator<Uint8Array> {
      for (let at = 0; ; ) {
        const part = await db.query
          .selectFrom('upload_part')
          .select(['bytes', 'content'])
          .where('upload_id', '=', id)
          .where('at', '=', at)
          .executeTakeFirst()
        if (!part) return
        yield Buffer.from(part.content, 'base64')
        at += part.bytes
      }
    },

    /** The newest of a person or key in an organization. */
    async newestOf(organizationId: string, ownerId: string): Promise<Upload | undefined> {
      const row = await db.query
        .selectFrom('upload')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('owner_id', '=', ownerId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return withJob(row)
    },

    async beginCheck(upload: Upload, options: Readonly<Record<string, string>>, now: number): Promise<void> {
      if (upload.state !== 'receiving' && upload.state !== 'checked') throw wrongStateError(upload)
      await enqueue(upload, 'upload-check', { options: JSON.stringify(options) }, now)
    },

    /** Imports with the options of the check. */
    async beginRun(upload: Upload, actor: Actor, now: number): Promise<void> {
      if (upload.state !== 'checked') throw wrongStateError(upload)
      if (upload.failure !== null || upload.preview === null) {
        throw conflict(
          'upload',
          'This list cannot be imported: correct the problem shown first.',
          reason('upload_has_problem'),
        )
      }
      const { id, format, file } = upload
      const entry = { action: 'import.started', subject: id, detail: { format, file } } as const
      await enqueue(upload, 'upload', {}, now, (tx) => writeAuditEntry(tx, upload.organizationId, actor, entry, now))
    },

    /** Ends the check. An earlier preview stays after a failure: it helps to correct the problem. */
    async checked(
      { id, jobId }: Upload,
      preview: UploadPreviewWire | null,
      failure: Failure | null,
      now: number,
    ): Promise<void> {
      if (jobId === null) return
      await db.transaction(async (tx) => {
        if (preview) await change(tx, id, { preview: JSON.stringify(preview) })
        if (failure === null) await jobs.finish(tx, jobId, now)
        else await jobs.fail(tx, jobId, maskFailure(failure), now)
      })
    },

    /** Ends it without an import: discarded, replaced or expired. */
    async discard({ id, jobId }: Upload, why: Failure | null): Promise<void> {
      await db.transaction(async (tx) => {
        await change(tx, id, { is_discarded: 1, discard_reason: why && JSON.stringify(why), job_id: null })
        if (jobId !== null) await jobs.remove(tx, jobId)
      })
      await forgetContent(id)
    },

    /** Uploads whose bytes are stored. */
    async withContent(): Promise<Upload[]> {
      const rows = await db.query
        .selectFrom('upload')
        .selectAll()
        .where('id', 'in', (query) => query.selectFrom('upload_part').select('upload_id').where('at', '=', 0))
        .execute()
      return (await Promise.all(rows.map(withJob))).filter((upload) => upload !== undefined)
    },
  }
}

function wrongStateError({ state }: Upload) {
  const message = state === 'ended' ? 'This upload has ended. Choose the file again.' : 'This upload is being read.'
  return conflict('upload', message, reason(state === 'ended' ? 'upload_ended' : 'upload_being_read'))
}

function stateOf({ is_discarded }: UploadTable, job: Job | undefined): UploadState {
  if (is_discarded === 1) return 'ended'
  if (!job) return 'receiving'
  const isUnfinished = job.state === 'queued' || job.state === 'running'
  if (job.kind === 'upload-check') return isUnfinished ? 'checking' : 'checked'
  return isUnfinished ? 'running' : 'ended'
}

const toUpload = (row: UploadTable, job: Job | undefined) => ({
  id: row.id,
  organizationId: row.organization_id,
  /** Id of the person or the API key that sends it. */
  ownerId: row.owner_id,
  ownerLabel: row.created_by,
  format: row.format,
  file: row.file,
  bytes: row.bytes,
  state: stateOf(row, job),
  isStopRequested: job?.isCancelRequested ?? false,
  options: JSON.parse(row.options) as Readonly<Record<string, string>>,
  preview: JSON.parse(row.preview ?? 'null') as UploadPreviewWire | null,
  /** Why the check or the import failed, or why there is none. */
  failure: parseFailure(row.discard_reason) ?? job?.failure ?? null,
  rowsRead: job?.rowsRead ?? 0,
  percent: job?.percent ?? null,
  note: job?.note ?? null,
  jobId: row.job_id,
  /** The import of this upload; null before it begins. */
  runId: job?.kind === 'upload' && job.startedAt !== null ? job.id : null,
  createdAt: row.created_at,
})
