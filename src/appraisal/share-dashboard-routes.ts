import type { NewShareWire, ShareWire } from '../contract/dashboard.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import { requireTier } from '../people/check-tier.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'
import type { AppraisalShare } from './share-store.ts'
import { createShareToken } from './share-token.ts'

/** Share codes on printed receipts: anyone with a code sees the shared facts until it is withdrawn. */
export function shareDashboardRoutes(dependencies: DashboardDependencies): DashboardRoute[] {
  const { shares } = dependencies.appraisal
  return [
    dashboardRoute('GET /account/receipt-details', async (c) => ({
      data: await dependencies.appraisal.receiptDetails.of(c.get('organization').id),
    })),

    dashboardRoute('POST /account/receipt-details', async (c, details) => {
      const actor = c.get('principal').actor
      await dependencies.appraisal.receiptDetails.replace(c.get('organization').id, details, actor, c.get('facts').now)
      return { data: details }
    }),

    dashboardRoute('GET /account/appraisals/shares', async (c) => {
      const appraisalShares = await shares.of(c.get('organization').id, c.req.query('appraisal_id') ?? '')
      return { data: appraisalShares.map(presentShare) }
    }),

    dashboardRoute('POST /account/appraisals/share', async (c, body) => {
      requireTier(c, 'paid')
      const token = createShareToken()
      const { appraisal_id: appraisalId, time_zone: timeZone = null } = body
      const newShare = { appraisalId, shown: [...new Set(body.shown)], token, timeZone }
      const { actor } = c.get('principal')
      const share = await shares.create(c.get('organization').id, newShare, actor, c.get('facts').now)
      const data: NewShareWire = { share: presentShare(share), address: `${dependencies.baseUrl()}/verify/${token}` }
      return { data }
    }),

    dashboardRoute('POST /account/appraisals/withdraw', async (c, { id }) => {
      await shares.withdraw(c.get('organization').id, id, c.get('principal').actor, c.get('facts').now)
    }),
  ]
}

function presentShare(share: AppraisalShare): ShareWire {
  return {
    id: share.id,
    shown: [...share.sharedFacts],
    created_at: isoInstant(share.createdAt),
    created_by: share.createdBy,
    withdrawn_at: isoInstantOrNull(share.revokedAt),
  }
}
