import { CURSOR_LIMIT } from '../contract/paging.ts'
import { eraseSeller, getSeller, getSellerImage, getSellerOnReceipt, listSellers } from '../contract/sellers.ts'
import { callerContext } from '../http/caller-context.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { csvLines, csvResponse, csvTexts } from '../http/csv-response.ts'
import { can } from '../http/principal.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { registerHeader, registerRow } from './register-sheet.ts'
import type { SellerStore } from './seller-store.ts'

/** An image never changes; only the browser of the person who may read it keeps it. */
const IMAGE_CACHE = 'private, max-age=3600, immutable'

export type SellerRouteDependencies = {
  readonly sellers: Pick<
    SellerStore,
    'list' | 'export' | 'find' | 'findImage' | 'findForReceipt' | 'erase' | 'auditExport'
  >
}

export function sellerRoutes({ sellers }: SellerRouteDependencies): ApiRoute[] {
  return [
    route(listSellers, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const query = c.get('query')
      const { appraisal_id: appraisalId, status, from, to, after, limit = CURSOR_LIMIT, format, language } = query
      const { now, id: requestId } = c.get('facts')
      if (format === 'csv') {
        await sellers.auditExport(organizationId, actor, now)
        const { t, style } = csvTexts(language)
        const batches = sellers.export(organizationId, { appraisalId, status, from, to })
        const lines = csvLines(registerHeader(t), batches, (entry) => registerRow(entry, t), style)
        return { file: csvResponse('sellers.csv', lines, requestId) }
      }
      const entries = await sellers.list(organizationId, { appraisalId, status, from, to, after, limit: limit + 1 })
      const page = entries.slice(0, limit)
      return {
        data: page,
        meta: { limit, has_next: entries.length > limit, next_after: page.at(-1)?.id ?? after ?? null },
      }
    }),

    route(getSeller, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { id } = c.get('params')
      const { after, limit = CURSOR_LIMIT } = c.get('query')
      const seller = await sellers.find(organizationId, id, { after, limit: limit + 1 }, actor, c.get('facts').now)
      if (!seller) throw notFound(`Seller ${excerpt(id)}`)
      const purchases = seller.purchases.slice(0, limit)
      return {
        data: { ...seller, purchases },
        meta: {
          limit,
          has_next: seller.purchases.length > limit,
          next_after: purchases.at(-1)?.id ?? after ?? null,
        },
      }
    }),

    route(getSellerImage, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { id, image_id: imageId } = c.get('params')
      const data = await sellers.findImage(organizationId, id, imageId, actor, c.get('facts').now)
      if (!data) throw notFound(`Image ${excerpt(imageId)}`)
      return { data, headers: { 'Cache-Control': IMAGE_CACHE } }
    }),

    route(getSellerOnReceipt, async (c) => {
      const { id } = c.get('params')
      const mayReadSellers = can(c.get('principal'), 'sellers:read')
      const data = await sellers.findForReceipt(id, { ...callerContext(c), mayReadSellers })
      if (!data) throw notFound(`Seller of ${excerpt(id)}`)
      return { data }
    }),

    route(eraseSeller, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { id } = c.get('params')
      const purchases = await sellers.erase(organizationId, id, actor, c.get('facts').now)
      if (purchases === 0) throw notFound(`Seller ${excerpt(id)}`)
      return { data: { person_id: id, purchases } }
    }),
  ]
}
