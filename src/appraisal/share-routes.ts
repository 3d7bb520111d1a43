import { DONE } from '../contract/management-shared.ts'
import { createShare, listShares, type NewShareWire, revokeShare, type ShareWire } from '../contract/share-endpoints.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import type { AppraisalShare, ShareStore } from './share-store.ts'
import { createShareToken } from './share-token.ts'

/** Share codes on printed receipts: anyone with a code sees the shared facts until it is revoked. */
export function shareRoutes({
  shares,
  linkUrl,
}: {
  readonly shares: Pick<ShareStore, 'of' | 'create' | 'revoke'>
  /** Address of the service on other devices. */
  readonly linkUrl: () => string
}): ApiRoute[] {
  return [
    route(listShares, async (c) => {
      const appraisalShares = await shares.of(c.get('principal').organizationId, c.get('params').id)
      return { data: appraisalShares.map(presentShare) }
    }),

    route(createShare, async (c) => {
      const token = createShareToken()
      const { facts, time_zone: timeZone = null } = c.get('body')
      const newShare = { appraisalId: c.get('params').id, facts: [...new Set(facts)], token, timeZone }
      const principal = c.get('principal')
      const share = await shares.create(principal.organizationId, newShare, principal, c.get('facts').now)
      const data: NewShareWire = { share: presentShare(share), url: `${linkUrl()}/verify/${token}` }
      return { data }
    }),

    route(revokeShare, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { id, share_id: shareId } = c.get('params')
      await shares.revoke(organizationId, { appraisalId: id, shareId }, actor, c.get('facts').now)
      return { data: DONE }
    }),
  ]
}

function presentShare(share: AppraisalShare): ShareWire {
  return {
    share_id: share.id,
    facts: [...share.sharedFacts],
    created_at: isoInstant(share.createdAt),
    created_by: share.createdBy,
    revoked_at: isoInstantOrNull(share.revokedAt),
  }
}
