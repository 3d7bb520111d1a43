/** Uploaded lists: owner, progress and result. The bytes are in a file. */
import type { Actor } from '../../auth/actor.ts'
import { writeAuditEntry } from '../../auth/audit-store.ts'
import type { UploadPreviewWire, UploadState } from '../../contract/uploads.ts'
import type { Database, Tx } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/database-errors.ts'
import type { UploadTable } from '../../db/schema.ts'
import { conflict, unknownId } from '../../lib/errors.ts'
import { sortableId } from '../../lib/id.ts'
import { isLockHeld } from '../import-lock.ts'
import { failRun, findRun, maskFailureMessage } from '../import-run-store.ts'

export type Upload = ReturnType<typeof toUpload>

/** Who sent it, for the audit trail. */
export const uploadActor = ({ ownerId, ownerLabel }: Upload): Actor => ({
  personId: ownerId.startsWith('key_') ? null : ownerId,
  who: ownerLabel,
})

export type UploadProgress = { readonly rows: number; readonly percent: number | null; readonly note: string | null }

/** A process that claims an upload takes its lock within this time. */
const CLAIM_GRACE_MS = 15_000

const UPLOAD_LOCK = 'upload'

const NO_PROGRESS = { is_stop_requested: 0, rows_read: 0, percent: null, note: null } as const

const INTERRUPTED =
  'Interrupted: the service stopped during the import. What was written until then stays; upload the same file again to finish.'
const CHECK_INTERRUPTED = 'Interrupted during the check. Check it again.'

export function uploadStore(db: Database) {
  async function change(tx: Tx, id: string, values: Partial<UploadTable>): Promise<void> {
    await tx.updateTable('upload').set(values).where('id', '=', id).execute()
  }

  async function find(id: string): Promise<Upload | undefined> {
    const row = await db.query.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toUpload(row)
  }

  /** Another organization's upload is not found, so that its existence does not leak. */
  async function read(organizationId: string, id: string): Promise<Upload> {
    const upload = await find(id)
    if (upload?.organizationId !== organizationId) throw unknownId('upload', id)
    return upload
  }

  /** The options of an import that came from an upload. */
  async function optionsOfRun(runId: string): Promise<Upload['options']> {
    const row = await db.query.selectFrom('upload').selectAll().where('run_id', '=', runId).executeTakeFirst()
    return row ? toUpload(row).options : {}
  }

  /** Runs `work` while no other process reads an upload. */
  const withUploadLock = <T>(work: () => Promise<T>) => db.withLock(UPLOAD_LOCK, work, () => {})

  async function claim(
    upload: Upload,
    nextState: 'checking' | 'running',
    values: Partial<UploadTable>,
    alsoWrite: (tx: Tx) => Promise<void>,
    now: number,
  ): Promise<number> {
    // Unique per claim, even if the clock stands still.
    const claimedAt = Math.max(now, (upload.claimedAt ?? 0) + 1)
    try {
      await db.transaction(async (tx) => {
        const claimedRow = await tx
          .updateTable('upload')
          .set({ ...values, ...NO_PROGRESS, state: nextState, running_slot: 1, claimed_at: claimedAt })
          .where('id', '=', upload.id)
          .where('state', '=', upload.state)
          .where('running_slot', 'is', null)
          .returning('id')
          .executeTakeFirst()
        if (!claimedRow) throw conflict('upload', 'This upload was changed meanwhile. Reload the page.')
        await alsoWrite(tx)
      })
      return claimedAt
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      throw conflict('upload', 'Another upload is being read. Try again when it has ended.')
    }
  }

  /** Ends the claim made at `claimedAt`, whose process is gone: an unfinished check or import has failed. */
  async function settle(id: string, claimedAt: number | null, now: number): Promise<void> {
    const upload = await find(id)
    if (upload?.claimedAt !== claimedAt) return
    if (upload?.state === 'checking') {
      await db.transaction((tx) => change(tx, id, { state: 'checked', running_slot: null, failure: CHECK_INTERRUPTED }))
    }
    if (upload?.state !== 'running') return
    const markEnded = (tx: Tx) =>
      change(tx, id, { state: 'ended', running_slot: null, preview: null, failure: INTERRUPTED })
    const run = upload.runId === null ? undefined : await findRun(db, upload.runId)
    if (run?.state === 'unfinished') await failRun(db, run.id, now, INTERRUPTED, { alsoWrite: markEnded })
    else await db.transaction(markEnded)
  }

  return {
    find,
    read,
    optionsOfRun,
    withUploadLock,
    settle,

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
            state: 'receiving',
            ...NO_PROGRESS,
            running_slot: null,
            claimed_at: null,
            options: '{}',
            preview: null,
            failure: null,
            run_id: null,
            created_at: now,
          })
          .execute(),
      )
      return read(owner.organizationId, id)
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
      return row && toUpload(row)
    },

    /** Returns the time of the claim, for `settle`. */
    async beginCheck(upload: Upload, options: Readonly<Record<string, string>>, now: number): Promise<number> {
      if (upload.state !== 'receiving' && upload.state !== 'checked') throw wrongStateError(upload)
      const values = { options: JSON.stringify(options), failure: null }
      return claim(upload, 'checking', values, async () => {}, now)
    },

    /** Imports with the options of the check. */
    async beginRun(upload: Upload, actor: Actor, now: number): Promise<number> {
      if (upload.state !== 'checked') throw wrongStateError(upload)
      if (upload.failure !== null || upload.preview === null) {
        throw conflict('upload', 'This list cannot be imported: correct the problem shown first.')
      }
      const { id, format, file } = upload
      const entry = { action: 'import.started', subject: id, detail: { format, file } } as const
      return claim(upload, 'running', {}, (tx) => writeAuditEntry(tx, upload.organizationId, actor, entry, now), now)
    },

    /** Returns whether to continue: false after a stop request. */
    async saveProgress(id: string, { rows, percent, note }: UploadProgress): Promise<boolean> {
      const row = await db.transaction((tx) =>
        tx
          .updateTable('upload')
          .set({ rows_read: rows, percent, note })
          .where('id', '=', id)
          .where('running_slot', 'is not', null)
          .returning('is_stop_requested')
          .executeTakeFirst(),
      )
      return row !== undefined && row.is_stop_requested === 0
    },

    async requestStop(id: string): Promise<void> {
      await db.transaction((tx) => change(tx, id, { is_stop_requested: 1 }))
    },

    async checked(id: string, preview: UploadPreviewWire | null, failure: string | null): Promise<void> {
      // An earlier preview stays: it helps to correct the problem.
      const result = {
        ...(preview ? { preview: JSON.stringify(preview) } : {}),
        failure: failure && maskFailureMessage(failure),
      }
      await db.transaction((tx) => change(tx, id, { state: 'checked', running_slot: null, ...result }))
    },

    runStarted: (tx: Tx, id: string, runId: string) => change(tx, id, { run_id: runId }),
    /** The result is in the record of the run, even if the upload was marked as interrupted meanwhile. */
    runEnded: (tx: Tx, id: string) =>
      change(tx, id, { state: 'ended', running_slot: null, preview: null, failure: null }),

    /** Ends it without an import: discarded, replaced, or its file is gone. */
    async end(id: string, failure: string | null): Promise<void> {
      await db.transaction((tx) => change(tx, id, { state: 'ended', running_slot: null, preview: null, failure }))
    },

    /** Settles uploads of killed processes. */
    async settleAbandoned(now: number): Promise<void> {
      const claimedUploads = await db.query
        .selectFrom('upload')
        .select(['id', 'claimed_at'])
        .where('running_slot', 'is not', null)
        .execute()
      for (const { id, claimed_at } of claimedUploads) {
        if (now - (claimed_at ?? 0) < CLAIM_GRACE_MS || (await isLockHeld(db, UPLOAD_LOCK))) continue
        await settle(id, claimed_at, now)
      }
    },
  }
}

function wrongStateError({ state }: Upload) {
  const message = state === 'ended' ? 'This upload has ended. Choose the file again.' : 'This upload is being read.'
  return conflict('upload', message)
}

const toUpload = (row: UploadTable) => ({
  id: row.id,
  organizationId: row.organization_id,
  /** Id of the person or the API key that sends it. */
  ownerId: row.owner_id,
  ownerLabel: row.created_by,
  format: row.format,
  file: row.file,
  bytes: row.bytes,
  state: row.state as UploadState,
  /** When a process last started to read it. */
  claimedAt: row.claimed_at,
  isStopRequested: row.is_stop_requested !== 0,
  options: JSON.parse(row.options) as Readonly<Record<string, string>>,
  preview: JSON.parse(row.preview ?? 'null') as UploadPreviewWire | null,
  /** Why the check or the import failed. */
  failure: row.failure,
  rowsRead: row.rows_read,
  percent: row.percent,
  note: row.note,
  runId: row.run_id,
  createdAt: row.created_at,
})
