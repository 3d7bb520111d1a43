import type { SandboxWire } from '../contract/dashboard.ts'
import { csvLines, csvResponse } from '../http/csv-response.ts'
import { notFound } from '../lib/errors.ts'
import { requireTier } from '../people/check-tier.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { downloadTexts } from '../people/download-texts.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from '../people/session-route.ts'
import { LOOKUP_EXPORT_HEADER, lookupExportCells } from '../risk/lookup-export.ts'
import { SANDBOX_IDENTIFIERS } from '../risk/sources/sandbox-identifiers.ts'

const LOOKUP_ID = /^lkp_\w{1,60}$/

/** Lists of pages that are not part of the API yet. */
export function exploreRoutes(dependencies: DashboardDependencies): DashboardRoute[] {
  /** Any lookup of the organization. */
  async function lookup(c: SessionContext) {
    requireTier(c, 'enterprise')
    const id = c.req.query('id') ?? ''
    // Invalid ids are not looked up.
    const json = LOOKUP_ID.test(id) ? await dependencies.lookups.find(c.get('organization').id, id) : null
    if (json === null) throw notFound('The lookup')
    return { data: JSON.parse(json) }
  }

  /** Streams the whole history as a file. */
  async function lookupsCsv(c: SessionContext): Promise<Response> {
    requireTier(c, 'enterprise')
    const { id } = c.get('organization')
    const identifier = c.req.query('identifier') || undefined
    const { t, style } = downloadTexts(c)
    const header = LOOKUP_EXPORT_HEADER.map((column) => t(`sheet:lookup.${column}`))
    const lines = csvLines(header, dependencies.lookups.export(id, identifier), lookupExportCells, style)
    return csvResponse('lookups.csv', lines, c.get('facts').id)
  }

  return [
    dashboardRoute('GET /account/names', async () => ({ data: dependencies.filterNames() })),
    dashboardRoute('GET /account/lookup', lookup),
    dashboardRoute('GET /account/sandbox', async () => ({ data: SANDBOX })),
    dashboardRoute('GET /account/lookups.csv', lookupsCsv),
  ]
}

const SANDBOX: SandboxWire[] = SANDBOX_IDENTIFIERS.map(({ identifier, type, outcome, explanation }) => ({
  identifier,
  identifier_type: type,
  outcome,
  about: explanation,
}))
