import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import { operatorStore } from '../auth/operator-store.ts'
import { REMOVAL_PREFIX, requireOrganization } from '../auth/organization-store.ts'
import { deleteRowsWith } from '../db/batched-delete.ts'
import type { Database, Tx } from '../db/database.ts'
import { deleteDeliveries } from '../events/delivery-queue-store.ts'
import { conflict } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { deleteRecordsOf } from './retention-store.ts'

/** Tables that may hold many rows of an organization; each has an index that starts with the organization. */
const LARGE_TABLES = [
  'idempotency',
  'watch',
  'tac_confirmation',
  'event',
  'appraisal_share',
  'appraisal_identifier',
  'appraisal_word',
  'appraisal_outcome',
  'stock_item',
  'quote',
  'device_list_row',
  'device_list',
  'purchase',
  'seller_record',
  'seller_photo',
  'seller_name',
  'stock_photo',
  'stock_identity',
  'appraised_device',
  'request_log',
  'usage_count',
  'usage_peak',
  'usage_hour',
  'organization_observed_device',
  'title_alias',
  'job',
  'audit_entry',
] as const

export type OrganizationRemovalStore = ReturnType<typeof organizationRemovalStore>

const SMALL_TABLES = [
  'lookup_total',
  'appraisal_total',
  'stock_total',
  'appraisal_policy',
  'price_rules',
  'device_list_words',
  'receipt_details',
  'upload',
  'webhook_endpoint',
  'one_time_link',
  'account',
  'organization_tier',
  'organization_sign_on',
  'observation_source',
  'observation_subject',
  'api_key',
] as const

/**
 * Removes an organization with everything stored of it, in short transactions. The organization itself goes last, so that
 * an interrupted removal can be repeated.
 */
export function organizationRemovalStore(db: Database) {
  /** Uploads that are being read or wait for it. */
  const unfinishedJobs = (tx: Tx, organizationId: string) =>
    tx
      .selectFrom('upload')
      .innerJoin('job', 'job.id', 'job_id')
      .select('job.id')
      .where('upload.organization_id', '=', organizationId)
      .where('state', 'in', ['queued', 'running'])
      .execute()

  return {
    /**
     * Ends all access: keys, accounts with their sessions, invitations, webhooks, share codes and imports. Records in the
     * same step that the rest must be removed, also after a restart.
     */
    async endAccess(organizationId: string, confirmedName: string, actor: Actor, now: number): Promise<void> {
      if ((await operatorStore(db).operatorOrganization()) === organizationId) {
        throw conflict(
          'operator organization',
          'This organization operates the service and cannot be removed.',
          reason('operator_not_removable'),
        )
      }
      await db.transaction(async (tx) => {
        const { name } = await requireOrganization(tx, organizationId)
        if (name !== confirmedName) {
          throw conflict(
            'confirm',
            `${organizationId} is named "${name}". Nothing was removed; confirm with exactly this name.`,
            reason('name_not_confirmed', { name }),
          )
        }
        const revision = await db.announceChange(tx, 'access')
        await tx
          .updateTable('api_key')
          .set({ revoked_at: now, revision })
          .where('organization_id', '=', organizationId)
          .execute()
        await tx
          .updateTable('webhook_endpoint')
          .set({ disabled_at: now, disabled_reason: 'The organization is being removed.' })
          .where('organization_id', '=', organizationId)
          .where('disabled_at', 'is', null)
          .execute()
        for (const table of ['account', 'one_time_link'] as const) {
          await tx.deleteFrom(table).where('organization_id', '=', organizationId).execute()
        }
        await tx
          .updateTable('organization')
          .set({ trade_in: null, trade_in_slug: null })
          .where('id', '=', organizationId)
          .execute()
        const jobs = (await unfinishedJobs(tx, organizationId)).map(({ id }) => id)
        if (jobs.length > 0)
          await tx.updateTable('job').set({ is_cancel_requested: 1 }).where('id', 'in', jobs).execute()
        await tx
          .insertInto('setting')
          .values({ name: `${REMOVAL_PREFIX}${organizationId}`, value: actor.who })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute()
      })
      await deleteRowsWith(db, 'appraisal_share', 'organization_id', organizationId)
    },

    /** Whether an import of the organization may still write. */
    hasUnfinishedJobs: async (organizationId: string): Promise<boolean> =>
      (await unfinishedJobs(db.query, organizationId)).length > 0,

    async pending(): Promise<{ id: string; actor: Actor }[]> {
      const rows = await db.query
        .selectFrom('setting')
        .selectAll()
        .where('name', 'like', `${REMOVAL_PREFIX}%`)
        .execute()
      return rows.map(({ name, value }) => ({
        id: name.slice(REMOVAL_PREFIX.length),
        actor: { personId: null, who: value },
      }))
    },

    /** Deletes all rows except the organization itself and its keys. May be repeated. */
    async deleteData(organizationId: string): Promise<void> {
      for (const table of ['lookup', 'appraisal'] as const) await deleteRecordsOf(db, table, organizationId)
      const endpoints = await db.query
        .selectFrom('webhook_endpoint')
        .select('id')
        .where('organization_id', '=', organizationId)
        .execute()
      for (const { id } of endpoints) await deleteDeliveries(db, id)
      const uploads = await db.query
        .selectFrom('upload')
        .select('job_id')
        .where('organization_id', '=', organizationId)
        .where('job_id', 'is not', null)
        .execute()
      // An import into the common market stays in the list of imports, but not the rows of its file.
      for (const { job_id: jobId } of uploads)
        await db.transaction((tx) => tx.deleteFrom('job_report').where('job_id', '=', jobId).execute())
      for (const table of LARGE_TABLES) await deleteRowsWith(db, table, 'organization_id', organizationId)
    },

    /** The operator's audit trail keeps the id and the name. */
    async finish(organizationId: string, actor: Actor, now: number): Promise<void> {
      const operator = await operatorStore(db).operatorOrganization()
      await db.transaction(async (tx) => {
        const { name } = await requireOrganization(tx, organizationId)
        await db.announceChange(tx, 'access')
        for (const table of SMALL_TABLES) {
          await tx.deleteFrom(table).where('organization_id', '=', organizationId).execute()
        }
        await tx.deleteFrom('organization').where('id', '=', organizationId).execute()
        await tx.deleteFrom('setting').where('name', '=', `${REMOVAL_PREFIX}${organizationId}`).execute()
        if (operator === null) return
        const entry = { action: 'organization.removed', subject: organizationId, detail: { name } } as const
        await writeAuditEntry(tx, operator, actor, entry, now)
      })
    },
  }
}
