import { formatItemTable } from '../lib/text-table.ts'
import { command, optional, text } from './command.ts'
import { organizationsOf } from './stored-settings.ts'

/** More than a database holds. */
const ALL = 1_000_000

const orgCreate = command({
  name: 'org create',
  help: 'Create an organization and print its id.',
  arguments: { name: text('NAME') },
  options: { market: optional(text('CODE', 'country whose prices and currency it gets, such as hr; default MARKET')) },
  json: true,
  async run({ name, market }, context) {
    const db = await context.openOrCreateDatabase()
    const organization = await organizationsOf(db, context).create({ name, market }, context.actor)
    return { text: organization.id, json: organization }
  },
})

const orgList = command({
  name: 'org list',
  help: 'List the organizations, with the highest tier each may use.',
  json: true,
  async run(_, context) {
    const db = await context.openExistingDatabase()
    const organizations = await organizationsOf(db, context).list('', ALL)
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

export const orgCommands = [orgCreate, orgList]
