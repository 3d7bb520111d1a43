import type { Actor } from '../auth/actor.ts'
import type { ApprovalWire } from '../contract/approval.ts'
import { CURSOR_LIMIT } from '../contract/paging.ts'
import {
  createPurchase,
  getPurchase,
  listPurchases,
  type NewPurchaseWire,
  type PurchaseWire,
} from '../contract/purchases.ts'
import { callerContext, replayHeaders } from '../http/caller-context.ts'
import { type ApiRoute, type HttpContext, route } from '../http/context.ts'
import { can, type Principal } from '../http/principal.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import type { CallerContext } from '../records/durable-response-service.ts'
import type { ReplayableResponse } from '../records/idempotency.ts'
import type { PurchaseStore } from './purchase-store.ts'

export type PurchaseRouteDependencies = {
  readonly purchases: Pick<PurchaseStore, 'read' | 'list'>
  readonly recordPurchase: (
    request: NewPurchaseWire,
    caller: CallerContext,
    approver?: Actor,
  ) => Promise<ReplayableResponse<{ readonly purchase_id: string }>>
  /** A manager or an owner of the caller's organization, who enters credentials in the session of a clerk. */
  readonly authenticateApprover: (c: HttpContext, approval: ApprovalWire) => Promise<Actor>
}

export function purchaseRoutes({
  purchases,
  recordPurchase,
  authenticateApprover,
}: PurchaseRouteDependencies): ApiRoute[] {
  async function read(principal: Principal, id: string): Promise<PurchaseWire> {
    const withSellers = can(principal, 'sellers:read')
    const purchase = await purchases.read(principal.organizationId, id, { withSellers })
    // Another organization's purchase is NOT_FOUND, so that callers cannot probe for ids.
    if (!purchase) throw notFound(`Purchase ${excerpt(id)}`)
    return purchase
  }

  return [
    route(createPurchase, async (c) => {
      const { approval, ...request } = c.get('body')
      const approver = approval && (await authenticateApprover(c, approval))
      const recorded = await recordPurchase(request, callerContext(c), approver)
      // Stock numbers are given out by the commit.
      return { data: await read(c.get('principal'), recorded.data.purchase_id), headers: replayHeaders(recorded) }
    }),

    route(listPurchases, async (c) => {
      const principal = c.get('principal')
      const { limit = CURSOR_LIMIT, ...filter } = c.get('query')
      const withSellers = can(principal, 'sellers:read')
      const found = await purchases.list(principal.organizationId, { ...filter, limit: limit + 1, withSellers })
      const data = found.slice(0, limit)
      return {
        data,
        meta: { limit, has_next: found.length > limit, next_after: data.at(-1)?.purchase_id ?? filter.after ?? null },
      }
    }),

    route(getPurchase, async (c) => ({ data: await read(c.get('principal'), c.get('params').id) })),
  ]
}
