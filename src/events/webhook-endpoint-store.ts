import { randomBytes } from 'node:crypto'
import type { Actor } from '../auth/actor.ts'
import { type AuditEntry, writeAuditEntry } from '../auth/audit-store.ts'
import { readOrganizationTier, requireOrganization } from '../auth/organization-store.ts'
import type { EventType } from '../contract/events.ts'
import type { Database, Tx } from '../db/database.ts'
import type { WebhookEndpointTable } from '../db/schema.ts'
import { requireStorage } from '../db/storage-ledger.ts'
import type { Encryption } from '../lib/encryption.ts'
import { unknownId } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { HOUR_MS } from '../lib/time.ts'
import { deleteDeliveries, resetDeliveries } from './delivery-queue-store.ts'
import { assertTierReceives, parseEventTypes, type WebhookEndpoint } from './webhook.ts'

export type WebhookEndpointStore = ReturnType<typeof webhookEndpointStore>

const SECRET_PREFIX = 'whsec_'
/** A secret in the format of Standard Webhooks. */
export const newWebhookSecret = () => `${SECRET_PREFIX}${randomBytes(24).toString('base64')}`

/** Fields that are undefined stay. */
export type WebhookEndpointChange = {
  readonly url?: string | undefined
  readonly types?: readonly EventType[] | undefined
  readonly enabled?: boolean | undefined
}

/** Webhook endpoints of organizations. Secrets are stored encrypted, bound to the id of their endpoint. */
export function webhookEndpointStore(db: Database, encryption: Encryption) {
  /** Changes one endpoint with its audit entry in one transaction, and wakes up the process that delivers. */
  async function change(
    organizationId: string,
    id: string,
    action: AuditEntry['action'],
    actor: Actor,
    now: number,
    work: (tx: Tx, endpoint: WebhookEndpointTable) => Promise<void>,
  ): Promise<void> {
    await db.transaction(async (tx) => {
      const endpoint = await requireEndpoint(tx, organizationId, id)
      await work(tx, endpoint)
      await writeAuditEntry(tx, organizationId, actor, { action, subject: id, detail: { url: endpoint.url } }, now)
      await db.announceChange(tx, 'events')
    })
  }

  return {
    /** Returns the secret, which cannot be read again. Only events from now on are sent. */
    async createEndpoint(
      organizationId: string,
      { url, types }: { readonly url: string; readonly types: readonly EventType[] },
      actor: Actor,
      now: number,
    ): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
      return db.transaction(async (tx) => {
        // Locked until the commit: of two requests at the limit the second sees the first.
        const revision = await db.announceChange(tx, 'events')
        await requireOrganization(tx, organizationId)
        assertTierReceives(await readOrganizationTier(tx, organizationId), types)
        await requireStorage(tx, organizationId, { kind: 'webhooks', amount: 1, field: 'webhook', now })
        const id = sortableId('whk', now)
        const secret = newWebhookSecret()
        const row: WebhookEndpointTable = {
          id,
          organization_id: organizationId,
          url,
          types: types.join(' '),
          secret: encryption.encrypt(secret, id),
          previous_secret: null,
          previous_until: null,
          cursor_revision: revision,
          cursor_ordinal: 0,
          created_at: now,
          disabled_at: null,
          disabled_reason: null,
        }
        await tx.insertInto('webhook_endpoint').values(row).execute()
        const entry = { action: 'webhook.created', subject: id, detail: { url } } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
        return { endpoint: toEndpoint(row), secret }
      })
    },

    async endpoints(organizationId: string): Promise<WebhookEndpoint[]> {
      const rows = await db.query
        .selectFrom('webhook_endpoint')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('id')
        .execute()
      return rows.map(toEndpoint)
    },

    endpoint: async (organizationId: string, id: string): Promise<WebhookEndpoint> =>
      toEndpoint(await requireEndpoint(db.query, organizationId, id)),

    /** For operators, who identify an endpoint by its id only. */
    async organizationOfEndpoint(id: string): Promise<string> {
      const row = await db.query
        .selectFrom('webhook_endpoint')
        .select('organization_id')
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row) throw unknownId('webhook', id)
      return row.organization_id
    },

    /** Returns a new secret. Deliveries are signed with the old one too for `overlapHours`. */
    async rotateSecret(
      organizationId: string,
      id: string,
      overlapHours: number,
      actor: Actor,
      now: number,
    ): Promise<string> {
      const secret = newWebhookSecret()
      await change(organizationId, id, 'webhook.rotated', actor, now, async (tx, endpoint) => {
        const overlap =
          overlapHours === 0
            ? { previous_secret: null, previous_until: null }
            : { previous_secret: endpoint.secret, previous_until: now + overlapHours * HOUR_MS }
        await tx
          .updateTable('webhook_endpoint')
          .set({ secret: encryption.encrypt(secret, id), ...overlap })
          .where('id', '=', id)
          .execute()
      })
      return secret
    },

    /** Deletes its deliveries afterwards, in batches; retention removes those that an interruption leaves behind. */
    async removeEndpoint(organizationId: string, id: string, actor: Actor, now: number): Promise<void> {
      await change(organizationId, id, 'webhook.removed', actor, now, async (tx) => {
        await tx.deleteFrom('webhook_endpoint').where('id', '=', id).execute()
      })
      await deleteDeliveries(db, id)
    },

    /** Changes the given fields. Undelivered events of an endpoint that is enabled again are due now. */
    async changeEndpoint(
      organizationId: string,
      id: string,
      { url, types, enabled }: WebhookEndpointChange,
      actor: Actor,
      now: number,
    ): Promise<WebhookEndpoint> {
      if (enabled) {
        await requireEndpoint(db.query, organizationId, id)
        await resetDeliveries(db, id, now)
      }
      const isOnlySwitched = url === undefined && types === undefined
      const action = !isOnlySwitched ? 'webhook.changed' : enabled ? 'webhook.enabled' : 'webhook.switched_off'
      await change(organizationId, id, action, actor, now, async (tx, { disabled_at: disabledAt }) => {
        if (types) assertTierReceives(await readOrganizationTier(tx, organizationId), types)
        await tx
          .updateTable('webhook_endpoint')
          .set({
            ...(url === undefined ? {} : { url }),
            ...(types === undefined ? {} : { types: types.join(' ') }),
            ...(enabled === undefined ? {} : { disabled_at: enabled ? null : (disabledAt ?? now) }),
            ...(enabled ? { disabled_reason: null } : {}),
          })
          .where('id', '=', id)
          .execute()
      })
      return toEndpoint(await requireEndpoint(db.query, organizationId, id))
    },
  }
}

/** Another organization's endpoint is NOT_FOUND, so that callers cannot probe for ids. */
export async function requireEndpoint(tx: Tx, organizationId: string, id: string): Promise<WebhookEndpointTable> {
  const endpoint = await tx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!endpoint) throw unknownId('webhook', id)
  return endpoint
}

function toEndpoint(row: WebhookEndpointTable): WebhookEndpoint {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    types: row.types === '' ? [] : parseEventTypes(row.types.split(' ')),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    overlapUntil: row.previous_until,
  }
}
