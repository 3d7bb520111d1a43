import { personActor } from '../auth/actor.ts'
import type { FullAppraisalWire } from '../contract/appraisal.ts'
import { appraisalRequestSchema, tierOfAppraisal } from '../contract/appraisal-request.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { authenticateApprover } from '../people/authentication-service.ts'
import { requireTier } from '../people/check-tier.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from '../people/session-route.ts'
import type { CallerContext } from '../records/durable-response-service.ts'
import { withoutMargins } from './without-margins.ts'

/** A manager approves an offer above the limit of a clerk, at the clerk's screen. */
export function appraisalDashboardRoutes(dependencies: DashboardDependencies): DashboardRoute[] {
  const { appraisals } = dependencies.appraisal

  const callerOf = (c: SessionContext): CallerContext => ({
    principal: c.get('principal'),
    organizationId: c.get('organization').id,
    keyId: 'dashboard',
    isClerk: c.get('organization').role === 'clerk',
    idempotencyKey: null,
    now: c.get('facts').now,
  })

  return [
    dashboardRoute('POST /account/appraisals/approve', async (c, { request, ...credentials }) => {
      requireTier(c, tierOfAppraisal(request))
      const body = parseOrThrow(appraisalRequestSchema, request, { root: 'request' })
      const { id: organizationId, seesMargins } = c.get('organization')
      const approver = personActor(await authenticateApprover(dependencies, c, credentials))
      const approvedCaller = { ...callerOf(c), isClerk: false }
      const appraisal: FullAppraisalWire = JSON.parse((await appraisals.appraise(body, approvedCaller)).json)
      const detail = { for: c.get('principal').actor.who }
      const entry = { action: 'appraisal.approved', subject: appraisal.appraisal_id, detail } as const
      await dependencies.people.writeEntry(organizationId, approver, entry, c.get('facts').now)
      return { data: seesMargins ? appraisal : withoutMargins(appraisal) }
    }),
  ]
}
