import { authStore } from '../auth/auth-store.ts'
import { presentOrganization } from '../auth/organization-routes.ts'
import type { Database } from '../db/database.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { parseMarket } from '../pricing/country-market.ts'
import { quotaStore } from '../usage/quota-store.ts'
import { type CommandContext, command, optional, text } from './command.ts'
import { newOrganizationCurrency } from './stored-settings.ts'

const orgCreate = command({
  name: 'org create',
  help: 'Create an organization and print its id.',
  arguments: { name: text('NAME') },
  options: { market: optional(text('CODE', 'country whose prices and currency it gets, such as hr; default MARKET')) },
  json: true,
  async run({ name, market: requested }, context) {
    const market = requested === undefined ? null : parseMarket(requested).code
    const db = await context.openOrCreateDatabase()
    const currency = await newOrganizationCurrency(db, context, market)
    const terms = { market, ...(currency ? { currency } : {}) }
    const { id } = await authStore(db).createOrganization(name, context.actor, context.now(), terms)
    return { text: id, json: (await listPresented(db, context)).find((organization) => organization.id === id) }
  },
})

const orgList = command({
  name: 'org list',
  help: 'List the organizations, with the highest tier each may use.',
  json: true,
  async run(_, context) {
    const organizations = await listPresented(await context.openExistingDatabase(), context)
    const table = formatItemTable(organizations, {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      TIER: ({ tier }) => tier,
      'LIMIT PER MINUTE': ({ limit_per_minute: limit }) => (limit === null ? 'by tier' : String(limit)),
      MARKET: ({ market }) => market ?? 'default',
      'RUNS THE SERVICE': (organization) => (organization.runs_service ? 'yes' : '-'),
      CREATED: (organization) => organization.created_at,
    })
    return { json: organizations, text: table }
  },
})

async function listPresented(db: Database, context: CommandContext) {
  const quotas = quotaStore(db)
  const now = context.now()
  const store = authStore(db)
  const operatorId = await store.operatorOrganization()
  const organizations = await store.organizations()
  return Promise.all(
    organizations.map(async (organization) =>
      presentOrganization(organization, await quotas.findQuota(organization.id, now), operatorId),
    ),
  )
}

export const orgCommands = [orgCreate, orgList]
