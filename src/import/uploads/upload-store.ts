/** Lists that people upload: whose they are, how far they are and what came of them. The bytes are in a file. */
import type { Actor } from '../../auth/actor.ts'
import { writeAuditEntry } from '../../auth/audit-store.ts'
import type { UploadPreviewWire, UploadState } from '../../contract/uploads.ts'
import type { Database, Tx } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/database-errors.ts'
import type { UploadTable } from '../../db/schema.ts'
import { conflict, unknownId } from '../../lib/errors.ts'
import { sortableId } from '../../lib/id.ts'
import { failRun, findRun, maskFailureMessage } from '../import-run-store.ts'

export type Upload = {
  readonly id: string
  readonly organizationId: string
  /** Id of the person or the API key that sends it. */
  readonly ownerId: string
  readonly ownerLabel: string
  readonly format: string
  readonly file: string
  readonly bytes: number
  readonly state: UploadState
  /** When somebody last began to read it. */
  readonly claimedAt: number | null
  readonly isStopRequested: boolean
  readonly options: Readonly<Record<string, string>>
  readonly preview: UploadPreviewWire | null
  /** Why it cannot be imported, or was not. */
  readonly failure: string | null
  readonly rowsRead: number
  readonly percent: number | null
  readonly note: string | null
  readonly runId: string | null
  readonly createdAt: number
}

/** Who sent it, for the audit trail. */
export const uploadActor = ({ ownerId, ownerLabel }: Upload): Actor => ({
  personId: ownerId.startsWith('key_') ? null : ownerId,
  who: ownerLabel,
})

export type UploadStore = ReturnType<typeof uploadStore>

export type UploadProgress = { readonly rows: number; readonly percent: number | null; readonly note: string | null }

/** Whoever takes a turn needs so long at most to begin; before that its lock says nothing. */
const CLAIM_GRACE_MS = 15_000

class UploadIsRunning extends Error {}

const INTERRUPTED =
  'It was cut off: the service stopped while it was at it. What was written until then stays; upload the same file again to finish.'
const CHECK_INTERRUPTED = 'It was cut off while it was being looked over. Check it again.'

export function uploadStore(db: Database) {
  async function change(tx: Tx, id: string, values: Partial<UploadTable>): Promise<void> {
    await tx.updateTable('upload').set(values).where('id', '=', id).execute()
  }

  async function find(id: string): Promise<Upload | undefined> {
    const row = await db.query.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toUpload(row)
  }

  /** Another organization's is not found: that it is there is nobody else's business. */
  async function read(organizationId: string, id: string): Promise<Upload> {
    const found = await find(id)
    if (found?.organizationId !== organizationId) throw unknownId('upload', id)
    return found
  }

  /** The options that an import ran with, where it came from an upload. */
  async function optionsOfRun(runId: string): Promise<Upload['options']> {
    const row = await db.query.selectFrom('upload').select('options').where('run_id', '=', runId).executeTakeFirst()
    return row ? (JSON.parse(row.options) as Upload['options']) : {}
  }

  /** Runs `work` while no other process reads an upload. */
  const alone = <T>(work: () => Promise<T>, onWait: () => void) => db.withLock('upload', work, onWait)

  async function isAtWork(): Promise<boolean> {
    try {
      await alone(
        async () => {},
        () => {
          throw new UploadIsRunning()
        },
      )
      return false
    } catch (error) {
      if (error instanceof UploadIsRunning) return true
      throw error
    }
  }

  async function take(
    upload: Upload,
    to: 'checking' | 'running',
    values: Partial<UploadTable>,
    also: (tx: Tx) => Promise<void>,
    now: number,
  ): Promise<number> {
    // Two turns of one upload never look alike, even when a clock stands still.
    const takenAt = Math.max(now, (upload.claimedAt ?? 0) + 1)
    try {
      await db.transaction(async (tx) => {
        const taken = await tx
          .updateTable('upload')
          .set({
            ...values,
            state: to,
            turn: 1,
            taken_at: takenAt,
            stop_asked: 0,
            rows_read: 0,
            percent: null,
            note: null,
          })
          .where('id', '=', upload.id)
          .where('state', '=', upload.state)
          .where('turn', 'is', null)
          .returning('id')
          .executeTakeFirst()
        if (!taken) throw conflict('upload', 'This upload was changed meanwhile. Look at it again.')
        await also(tx)
      })
      return takenAt
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      throw conflict('upload', 'Another upload is being read just now. Try again when it has ended.')
    }
  }

  /** Of the turn that was taken then, which nobody is at any more: what it was in the middle of has failed. */
  async function settle(id: string, takenAt: number | null, now: number): Promise<void> {
    const upload = await find(id)
    if (upload?.claimedAt !== takenAt) return
    if (upload?.state === 'checking') {
      await db.transaction((tx) => change(tx, id, { state: 'checked', turn: null, failure: CHECK_INTERRUPTED }))
    }
    if (upload?.state !== 'running') return
    const ended = (tx: Tx) => change(tx, id, { state: 'ended', turn: null, preview: null, failure: INTERRUPTED })
    const run = upload.runId === null ? undefined : await findRun(db, upload.runId)
    if (run?.state === 'unfinished') await failRun(db, run.id, now, INTERRUPTED, { alsoWrite: ended })
    else await db.transaction(ended)
  }

  return {
    find,
    read,
    optionsOfRun,
    alone,
    settle,

    async begin(
      by: { organizationId: string; ownerId: string; actor: Actor },
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
            organization_id: by.organizationId,
            person_id: by.ownerId,
            who: by.actor.who,
            state: 'receiving',
            turn: null,
            taken_at: null,
            stop_asked: 0,
            options: '{}',
            preview: null,
            failure: null,
            rows_read: 0,
            percent: null,
            note: null,
            run_id: null,
            created_at: now,
          })
          .execute(),
      )
      return read(by.organizationId, id)
    },

    /** The newest of a person or key in an organization. */
    async newestOf(organizationId: string, ownerId: string): Promise<Upload | undefined> {
      const row = await db.query
        .selectFrom('upload')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('person_id', '=', ownerId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toUpload(row)
    },

    /** Returns which turn it is, to be settled by whoever waits for its end. */
    async beginCheck(upload: Upload, options: Readonly<Record<string, string>>, now: number): Promise<number> {
      if (upload.state !== 'receiving' && upload.state !== 'checked') throw wrongStateError(upload)
      const fresh = { options: JSON.stringify(options), failure: null }
      return take(upload, 'checking', fresh, async () => {}, now)
    },

    /** What was looked over is imported, with the options it was looked over with. */
    async beginRun(upload: Upload, actor: Actor, now: number): Promise<number> {
      if (upload.state !== 'checked') throw wrongStateError(upload)
      if (upload.failure !== null || upload.preview === null) {
        throw conflict('upload', 'This list cannot be imported as it is. Look at what is wrong with it first.')
      }
      const entry = {
        action: 'import.started',
        subject: upload.id,
        detail: { format: upload.format, file: upload.file },
      } as const
      return take(upload, 'running', {}, (tx) => writeAuditEntry(tx, upload.organizationId, actor, entry, now), now)
    },

    /** Whether whoever is at it should go on. */
    async tellHowFar(id: string, { rows, percent, note }: UploadProgress): Promise<boolean> {
      const row = await db.transaction((tx) =>
        tx
          .updateTable('upload')
          .set({ rows_read: rows, percent, note })
          .where('id', '=', id)
          .where('turn', 'is not', null)
          .returning('stop_asked')
          .executeTakeFirst(),
      )
      return row !== undefined && row.stop_asked === 0
    },

    async askStop(id: string): Promise<void> {
      await db.transaction((tx) => change(tx, id, { stop_asked: 1 }))
    },

    async checked(id: string, preview: UploadPreviewWire | null, failure: string | null): Promise<void> {
      // What was found before helps to mend what is wrong now.
      const found = {
        ...(preview ? { preview: JSON.stringify(preview) } : {}),
        failure: failure && maskFailureMessage(failure),
      }
      await db.transaction((tx) => change(tx, id, { state: 'checked', turn: null, ...found }))
    },

    runBegun: (tx: Tx, id: string, runId: string) => change(tx, id, { run_id: runId }),
    /** The result is in the record of the run, also when the upload was taken for interrupted meanwhile. */
    runEnded: (tx: Tx, id: string) => change(tx, id, { state: 'ended', turn: null, preview: null, failure: null }),

    /** It is over without an import: taken back, replaced, or its file is gone. */
    async end(id: string, failure: string | null): Promise<void> {
      await db.transaction((tx) => change(tx, id, { state: 'ended', turn: null, preview: null, failure }))
    },

    isAtWork,

    /** Settles what a process left that was killed; nothing while somebody is at it. */
    async settleLeft(now: number): Promise<void> {
      const left = await db.query
        .selectFrom('upload')
        .select(['id', 'taken_at'])
        .where('turn', 'is not', null)
        .execute()
      for (const { id, taken_at } of left) {
        if (now - (taken_at ?? 0) < CLAIM_GRACE_MS || (await isAtWork())) continue
        await settle(id, taken_at, now)
      }
    },
  }
}

function wrongStateError({ state }: Upload) {
  const why = state === 'ended' ? 'This upload is over. Choose the file again.' : 'This upload is being read just now.'
  return conflict('upload', why)
}

function toUpload(row: UploadTable): Upload {
  return {
    id: row.id,
    organizationId: row.organization_id,
    ownerId: row.person_id,
    ownerLabel: row.who,
    format: row.format,
    file: row.file,
    bytes: row.bytes,
    state: row.state as UploadState,
    claimedAt: row.taken_at,
    isStopRequested: row.stop_asked !== 0,
    options: JSON.parse(row.options) as Upload['options'],
    preview: row.preview === null ? null : (JSON.parse(row.preview) as UploadPreviewWire),
    failure: row.failure,
    rowsRead: row.rows_read,
    percent: row.percent,
    note: row.note,
    runId: row.run_id,
    createdAt: row.created_at,
  }
}
