import { type Actor, authorOf } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import { lockOrganization } from '../auth/organization-store.ts'
import type { StoredAppraisalWire } from '../contract/appraisal.ts'
import { DEFAULT_LANGUAGE, findLanguage, type Language } from '../contract/languages.ts'
import type { SharedFact } from '../contract/shared-facts.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { Database, Tx } from '../db/database.ts'
import type { AppraisalShareTable } from '../db/schema.ts'
import { requireStorage } from '../db/storage-ledger.ts'
import { limitReached, notFound } from '../lib/errors.ts'
import { sortableId } from '../lib/id.ts'
import { reason } from '../lib/reasons.ts'
import { hashShareToken } from './share-token.ts'

export type AppraisalShare = {
  readonly id: string
  readonly sharedFacts: readonly SharedFact[]
  readonly createdAt: number
  readonly createdBy: AuthorWire
  readonly revokedAt: number | null
}

/** The appraisal behind a share code, its organization and the facts that may be shown. */
export type SharedAppraisal = {
  readonly organization: string
  readonly sharedFacts: readonly SharedFact[]
  readonly appraisal: StoredAppraisalWire
  /** Language of the organization's receipts. */
  readonly paperLanguage: Language
  /** Time zone of the shop. */
  readonly timeZone: string
}

export type ShareStore = ReturnType<typeof shareStore>

/** Active codes of one appraisal. */
const MAX_PER_APPRAISAL = 20

export function shareStore(db: Database, maxPerOrganization: number) {
  async function assertBelowLimits(tx: Tx, share: AppraisalShareTable): Promise<void> {
    const { organization_id: organizationId, appraisal_id: appraisalId, created_at: now } = share
    const { count } = await tx
      .selectFrom('appraisal_share')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('organization_id', '=', organizationId)
      .where('revoked_at', 'is', null)
      .where('appraisal_id', '=', appraisalId)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_PER_APPRAISAL) {
      throw limitReached(
        'share',
        `An appraisal can have at most ${MAX_PER_APPRAISAL} codes in use. Revoke a code of it first.`,
        reason('limit_share_codes_of_appraisal', { limit: MAX_PER_APPRAISAL }),
      )
    }
    const storage = { kind: 'share_codes', amount: 1, field: 'share', now, limit: maxPerOrganization } as const
    await requireStorage(tx, organizationId, storage)
  }

  return {
    async create(
      organizationId: string,
      newShare: {
        readonly appraisalId: string
        readonly facts: readonly SharedFact[]
        readonly token: string
        readonly timeZone: string | null
      },
      creator: AuthorWire & { readonly actor: Actor },
      now: number,
    ): Promise<AppraisalShare> {
      const row: AppraisalShareTable = {
        token_hash: hashShareToken(newShare.token),
        id: sortableId('shr', now),
        organization_id: organizationId,
        appraisal_id: newShare.appraisalId,
        shared_facts: JSON.stringify(newShare.facts),
        created_at: now,
        created_by: JSON.stringify(authorOf(creator)),
        revoked_at: null,
        time_zone: newShare.timeZone,
      }
      await db.transaction(async (tx) => {
        await lockOrganization(tx, organizationId)
        await requireAppraisal(tx, organizationId, newShare.appraisalId)
        await assertBelowLimits(tx, row)
        await tx.insertInto('appraisal_share').values(row).execute()
        const detail = { facts: newShare.facts.join(', ') }
        const entry = { action: 'appraisal.shared', subject: newShare.appraisalId, detail } as const
        await writeAuditEntry(tx, organizationId, creator.actor, entry, now)
      })
      return toShare(row)
    },

    /** The codes of one appraisal, newest first. */
    async of(organizationId: string, appraisalId: string): Promise<AppraisalShare[]> {
      const rows = await db.query
        .selectFrom('appraisal_share')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('appraisal_id', '=', appraisalId)
        .orderBy('id', 'desc')
        .execute()
      if (rows.length === 0) await requireAppraisal(db.query, organizationId, appraisalId)
      return rows.map(toShare)
    },

    /** A revoked code is indistinguishable from one that never existed. */
    async revoke(
      organizationId: string,
      { appraisalId, shareId }: { readonly appraisalId: string; readonly shareId: string },
      actor: Actor,
      now: number,
    ): Promise<void> {
      await db.transaction(async (tx) => {
        const row = await tx
          .updateTable('appraisal_share')
          .set({ revoked_at: now })
          .where('organization_id', '=', organizationId)
          .where('appraisal_id', '=', appraisalId)
          .where('id', '=', shareId)
          .where('revoked_at', 'is', null)
          .returning('id')
          .executeTakeFirst()
        if (!row) throw notFound('The code')
        const entry = { action: 'appraisal.share_revoked', subject: appraisalId } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    /** The shared appraisal; null if the code is unknown or revoked, or the appraisal is deleted. */
    async open(token: string): Promise<SharedAppraisal | null> {
      const row = await db.query
        .selectFrom('appraisal_share as share')
        .innerJoin('appraisal', (join) =>
          join
            .onRef('appraisal.organization_id', '=', 'share.organization_id')
            .onRef('appraisal.id', '=', 'share.appraisal_id'),
        )
        .innerJoin('organization', 'organization.id', 'share.organization_id')
        .leftJoin('receipt_details', 'receipt_details.organization_id', 'share.organization_id')
        .select([
          'organization.name',
          'share.shared_facts',
          'share.time_zone',
          'appraisal.response',
          'receipt_details.document',
        ])
        .where('share.token_hash', '=', hashShareToken(token))
        .where('share.revoked_at', 'is', null)
        .executeTakeFirst()
      if (!row) return null
      const { language = '' }: { language?: string } = JSON.parse(row.document ?? '{}')
      return {
        organization: row.name,
        sharedFacts: JSON.parse(row.shared_facts),
        appraisal: JSON.parse(row.response),
        paperLanguage: findLanguage(language) ?? DEFAULT_LANGUAGE,
        timeZone: row.time_zone ?? 'UTC',
      }
    },
  }
}

function toShare(row: AppraisalShareTable): AppraisalShare {
  return {
    id: row.id,
    sharedFacts: JSON.parse(row.shared_facts),
    createdAt: Number(row.created_at),
    createdBy: JSON.parse(row.created_by),
    revokedAt: row.revoked_at === null ? null : Number(row.revoked_at),
  }
}

/** Another organization's appraisal is not found either, so that callers cannot probe for ids. */
async function requireAppraisal(query: Database['query'] | Tx, organizationId: string, id: string): Promise<void> {
  const appraisal = await query
    .selectFrom('appraisal')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!appraisal) throw notFound('The appraisal')
}
