import { sql } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import type { ListState } from '../contract/device-lists.ts'
import { STORAGE } from '../contract/storage.ts'
import type { AuthorWire } from '../contract/values.ts'
import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database, Tx } from '../db/database.ts'
import { requireStorage, storageFull } from '../db/storage-ledger.ts'
import { idLowerBound, sortableIdShape } from '../lib/id.ts'
import type { ReasonParams } from '../lib/reasons.ts'
import type { AskingPrice, RowQuestion } from './device-list-row.ts'
import type { ColumnAssignment } from './list-columns.ts'
import type { RowChange } from './row-change.ts'
import { type TaughtWord, taughtWordKey } from './taught-words.ts'

/** A list without its rows. */
export type DeviceList = {
  readonly id: string
  readonly name: string
  readonly supplier: string
  readonly state: ListState
  readonly header: readonly string[]
  readonly columns: ColumnAssignment
  readonly rowCount: number
  readonly createdBy: AuthorWire
  readonly createdAt: number
  readonly updatedAt: number
}
export type NewDeviceList = Omit<DeviceList, 'rowCount' | 'updatedAt'> & { readonly fileHash: string | null }
export type DeviceListChange = { readonly [Field in 'name' | 'supplier' | 'state']?: DeviceList[Field] | undefined }

type StoredReason = { readonly code: string; readonly params?: ReasonParams | undefined }

export type StoredRow = {
  readonly line: number
  readonly cells: readonly string[]
  readonly change: RowChange | null
  readonly questions: readonly RowQuestion[]
  readonly quantity: number
  readonly askingPrice: AskingPrice | null
  readonly error: string | null
  /** The same as a code with parameters. */
  readonly reason: StoredReason | null
  readonly appraisalId: string | null
}

/** Rows per statement; SQLite and PostgreSQL limit the number of parameters. */
const ROWS_PER_INSERT = 100

export type DeviceListStore = ReturnType<typeof deviceListStore>

/** Device lists of each organization, their rows, and the words it taught. */
export function deviceListStore(db: Database) {
  const lists = (organizationId: string) =>
    db.query
      .selectFrom('device_list as list')
      .selectAll('list')
      .select(
        sql<number>`(select count(*) from device_list_row as counted
          where counted.organization_id = list.organization_id and counted.list_id = list.id)`.as('row_count'),
      )
      .where('list.organization_id', '=', organizationId)
  const rowsOf = (organizationId: string, listId: string, query: Database['query'] | Tx = db.query) =>
    query
      .selectFrom('device_list_row')
      .select(['line', 'document', 'appraisal_id'])
      .where('organization_id', '=', organizationId)
      .where('list_id', '=', listId)
      .orderBy('line')

  return {
    /** Newest first. */
    async list(organizationId: string, { after, limit }: { after?: string | undefined; limit: number }) {
      let query = lists(organizationId)
      if (after !== undefined) query = query.where('list.id', '<', after)
      return (await query.orderBy('list.id', 'desc').limit(limit).execute()).map(toList)
    },

    async find(organizationId: string, id: string): Promise<DeviceList | null> {
      const row = await lists(organizationId).where('list.id', '=', id).executeTakeFirst()
      return row ? toList(row) : null
    },

    /** The newest list of the same file. */
    async findByFile(organizationId: string, fileHash: string): Promise<DeviceList | null> {
      const row = await lists(organizationId)
        .where('list.file_hash', '=', fileHash)
        .orderBy('list.id', 'desc')
        .executeTakeFirst()
      return row ? toList(row) : null
    },

    async add(organizationId: string, list: NewDeviceList, actor: Actor): Promise<void> {
      await db.transaction(async (tx) => {
        const storage = { kind: 'lists', amount: 1, field: 'list', now: list.createdAt } as const
        await requireStorage(tx, organizationId, storage)
        await tx
          .insertInto('device_list')
          .values({
            organization_id: organizationId,
            id: list.id,
            name: list.name,
            supplier: list.supplier,
            state: list.state,
            file_hash: list.fileHash ?? '',
            layout: JSON.stringify({ header: list.header, columns: list.columns }),
            created_by: JSON.stringify(list.createdBy),
            created_at: list.createdAt,
            updated_at: list.createdAt,
            bytes: 0,
          })
          .execute()
        const entry = { action: 'appraisal.list_added', subject: list.id, detail: { name: list.name } } as const
        await writeAuditEntry(tx, organizationId, actor, entry, list.createdAt)
      })
    },

    async change(
      organizationId: string,
      { id, name }: Pick<DeviceList, 'id' | 'name'>,
      change: DeviceListChange,
      actor: Actor,
      now: number,
    ): Promise<void> {
      const changed = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      if (Object.keys(changed).length === 0) return
      await db.transaction(async (tx) => {
        await tx
          .updateTable('device_list')
          .set({ ...changed, updated_at: now })
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .execute()
        const entry = { action: 'appraisal.list_changed', subject: id, detail: { name, ...changed } } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    async remove(organizationId: string, { id, name }: DeviceList, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        // The list first: rows that are being written are either deleted with it or not written at all.
        await tx.deleteFrom('device_list').where('organization_id', '=', organizationId).where('id', '=', id).execute()
        await tx
          .deleteFrom('device_list_row')
          .where('organization_id', '=', organizationId)
          .where('list_id', '=', id)
          .execute()
        const entry = { action: 'appraisal.list_removed', subject: id, detail: { name } } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    /** Rows after a line, at most `limit`. */
    async rows(organizationId: string, listId: string, { after, limit }: { after: number; limit: number }) {
      const rows = await rowsOf(organizationId, listId).where('line', '>', after).limit(limit).execute()
      return rows.map(toRow)
    },

    async rowsAt(organizationId: string, listId: string, lines: readonly number[]): Promise<StoredRow[]> {
      if (lines.length === 0) return []
      const rows = await rowsOf(organizationId, listId).where('line', 'in', lines).execute()
      return rows.map(toRow)
    },

    /** Adds rows, or replaces those of the same lines. Returns the rows that it replaced; null if the list was removed. */
    async saveRows(
      organizationId: string,
      listId: string,
      rows: readonly StoredRow[],
      now: number,
    ): Promise<StoredRow[] | null> {
      return db.transaction(async (tx) => {
        // Locks the list: of two changes of a row at the same moment the second replaces the first.
        const { numUpdatedRows } = await tx
          .updateTable('device_list')
          .set({ updated_at: now })
          .where('organization_id', '=', organizationId)
          .where('id', '=', listId)
          .executeTakeFirst()
        if (Number(numUpdatedRows) === 0) return null
        const lines = rows.map(({ line }) => line)
        const replaced = await rowsOf(organizationId, listId, tx).where('line', 'in', lines).execute()
        const documents = rows.map(({ line, appraisalId, ...document }) => ({
          organization_id: organizationId,
          list_id: listId,
          line,
          appraisal_id: appraisalId ?? '',
          document: JSON.stringify(document),
        }))
        const amount = bytesOf(documents) - bytesOf(replaced)
        if (amount > 0) await requireStorage(tx, organizationId, { kind: 'list_rows', amount, field: 'rows', now })
        await tx
          .updateTable('device_list')
          .set(({ eb }) => ({ bytes: eb('bytes', '+', amount) }))
          .where('organization_id', '=', organizationId)
          .where('id', '=', listId)
          .execute()
        for (let from = 0; from < documents.length; from += ROWS_PER_INSERT) {
          const part = documents.slice(from, from + ROWS_PER_INSERT)
          await db.insertMany(tx, 'device_list_row', part, { conflictColumns: ['organization_id', 'list_id', 'line'] })
        }
        return replaced.map(toRow)
      })
    },

    /** Lists other than one that hold the appraisals, by appraisal id. */
    async listsOf(organizationId: string, appraisalIds: readonly string[], exceptId: string) {
      if (appraisalIds.length === 0) return new Map<string, { id: string; name: string }>()
      const rows = await db.query
        .selectFrom('device_list_row as row')
        .innerJoin('device_list as list', (join) =>
          join.onRef('list.organization_id', '=', 'row.organization_id').onRef('list.id', '=', 'row.list_id'),
        )
        .select(['row.appraisal_id', 'list.id', 'list.name'])
        .where('row.organization_id', '=', organizationId)
        .where('row.appraisal_id', 'in', appraisalIds)
        .where('list.id', '!=', exceptId)
        .execute()
      return new Map(rows.map(({ appraisal_id, id, name }) => [appraisal_id, { id, name }]))
    },

    words: (organizationId: string) => readWords(db.query, organizationId),

    /** Replaces or adds words; `forgotten` are removed. */
    async teach(
      organizationId: string,
      { taught, forgotten }: { readonly taught: readonly TaughtWord[]; readonly forgotten: readonly string[] },
      now: number,
    ): Promise<void> {
      await db.transaction(async (tx) => {
        // Locked until the commit: of two changes at the same moment the second sees the first.
        await db.announceChange(tx, 'access')
        const words = new Map((await readWords(tx, organizationId)).map((word) => [word.word, word]))
        for (const word of forgotten) words.delete(taughtWordKey(word))
        for (const word of taught) {
          const key = taughtWordKey(word.word)
          words.delete(key)
          words.set(key, { ...word, word: key })
        }
        const limit = STORAGE.words.limit
        if (words.size > limit) throw storageFull('words', words.size - taught.length, limit, 'words')
        const document = JSON.stringify([...words.values()])
        await tx
          .insertInto('device_list_words')
          .values({ organization_id: organizationId, document, words: words.size, updated_at: now })
          .onConflict((conflict) =>
            conflict.column('organization_id').doUpdateSet({ document, words: words.size, updated_at: now }),
          )
          .execute()
      })
    },

    /** Deletes lists that were added before `before`. */
    async deleteBefore(before: number): Promise<void> {
      const bound = idLowerBound(sortableIdShape('list'), before)
      await deleteRowsBelow(db, 'device_list_row', 'list_id', bound)
      await deleteRowsBelow(db, 'device_list', 'id', bound)
    },
  }
}

/** Stored for rows; a row takes some more on the disk. */
const bytesOf = (rows: readonly { readonly document: string }[]) =>
  rows.reduce((sum, { document }) => sum + Buffer.byteLength(document), 0)

async function readWords(query: Tx, organizationId: string): Promise<TaughtWord[]> {
  const row = await query
    .selectFrom('device_list_words')
    .select('document')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row ? JSON.parse(row.document) : []
}

type ListRecord = {
  readonly id: string
  readonly name: string
  readonly supplier: string
  readonly state: string
  readonly layout: string
  readonly row_count: number
  readonly created_by: string
  readonly created_at: number
  readonly updated_at: number
}

function toList(row: ListRecord): DeviceList {
  const { id, name, supplier, state } = row
  return {
    id,
    name,
    supplier,
    state: state as ListState,
    ...(JSON.parse(row.layout) as Pick<DeviceList, 'header' | 'columns'>),
    rowCount: Number(row.row_count),
    createdBy: JSON.parse(row.created_by),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }
}

const toRow = (row: { line: number; document: string; appraisal_id: string }): StoredRow => ({
  ...(JSON.parse(row.document) as Omit<StoredRow, 'line' | 'appraisalId'>),
  line: Number(row.line),
  appraisalId: row.appraisal_id || null,
})
