import { getDealReport } from '../contract/deal-report.ts'
import { ApiError } from '../http/api-error.ts'
import { csvLines, csvResponse } from '../http/csv-response.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { requireTier } from '../people/check-tier.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { downloadTexts } from '../people/download-texts.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from '../people/session-route.ts'
import { dealSheetHeader, dealSheetRow } from './deal-sheet.ts'

/** The report on deals, and whether the prices of deals count. */
export function dealDashboardRoutes({ appraisal }: DashboardDependencies): DashboardRoute[] {
  const { reports, deals, deviceName } = appraisal

  function parseQuery(c: SessionContext) {
    requireTier(c, getDealReport.tier)
    if (!c.get('organization').seesMargins) {
      throw new ApiError('FORBIDDEN', 'Reports show margins. Ask an owner for the right to see them.')
    }
    return parseOrThrow(getDealReport.query, c.req.query(), { root: 'query' })
  }

  return [
    dashboardRoute('GET /account/reports/deals', async (c) => ({
      data: await reports.report(c.get('organization').id, parseQuery(c), c.get('facts').now),
    })),

    dashboardRoute('GET /account/reports/deals.csv', async (c) => {
      const reportedDeals = await reports.deals(c.get('organization').id, parseQuery(c), c.get('facts').now)
      const { t, style } = downloadTexts(c)
      const lines = csvLines(dealSheetHeader(t), [reportedDeals], (deal) => dealSheetRow(deal, t, deviceName), style)
      return csvResponse('deals.csv', lines, c.get('facts').id)
    }),

    dashboardRoute('GET /account/deals', async (c) => {
      const { isIncluded, prices, excluded, newestOn } = await deals.summary(c.get('organization').id)
      return { data: { included: isIncluded, prices, excluded, newest_on: newestOn } }
    }),

    dashboardRoute('POST /account/deals', async (c, { included }) => {
      await deals.setIncluded(c.get('organization').id, included, c.get('principal').actor, c.get('facts').now)
    }),
  ]
}
