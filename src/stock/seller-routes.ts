import { CURSOR_LIMIT } from '../contract/paging.ts'
import { eraseSeller, getSeller, listSellers } from '../contract/sellers.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { csvLines, csvResponse, csvTexts } from '../http/csv-response.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { registerHeader, registerRow } from './register-sheet.ts'
import type { SellerStore } from './seller-store.ts'

export type SellerRouteDependencies = {
  readonly sellers: Pick<SellerStore, 'list' | 'export' | 'find' | 'erase' | 'auditExport'>
}

export function sellerRoutes({ sellers }: SellerRouteDependencies): ApiRoute[] {
  return [
    route(listSellers, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { appraisal_id: appraisalId, from, to, after, limit = CURSOR_LIMIT, format, language } = c.get('query')
      const { now, id: requestId } = c.get('facts')
      if (format === 'csv') {
        await sellers.auditExport(organizationId, actor, now)
        const { t, style } = csvTexts(language)
        const batches = sellers.export(organizationId, { appraisalId, from, to })
        const lines = csvLines(registerHeader(t), batches, (entry) => registerRow(entry, t), style)
        return { file: csvResponse('sellers.csv', lines, requestId) }
      }
      const entries = await sellers.list(organizationId, { appraisalId, from, to, after, limit: limit + 1 })
      const page = entries.slice(0, limit)
      return {
        data: page,
        meta: { limit, has_next: entries.length > limit, next_after: page.at(-1)?.appraisal_id ?? after ?? null },
      }
    }),

    route(getSeller, async (c) => {
      const { organizationId, actor } = c.get('principal')
      const { id } = c.get('params')
      const data = await sellers.find(organizationId, id, actor, c.get('facts').now)
      if (!data) throw notFound(`Seller ${excerpt(id)}`)
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
