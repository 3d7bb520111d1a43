import type { DeviceIntelligence, Organization } from '../../client/src/index.ts'
import { authStore } from '../auth/auth-store.ts'
import { TIERS } from '../contract/tiers.ts'
import { formatItemTable } from '../lib/text-table.ts'
import {
  type CommandOption,
  choice,
  command,
  flag,
  managementCommand,
  optional,
  orNull,
  text,
  wholeNumber,
} from './command.ts'
import { CommandError } from './command-error.ts'
import { orgPolicySet, orgPolicyShow } from './org-policy.ts'
import { orgRemove } from './org-remove.ts'

const ORGANIZATION = text('ORG_ID')

const orgCreate = managementCommand({
  name: 'org create',
  help: 'Create an organization and print its id.',
  arguments: { name: text('NAME') },
  options: { market: optional(text('CODE', 'country whose prices and currency it gets, such as hr; default MARKET')) },
  json: true,
  createsDatabase: true,
  async call({ name, market }, { client }) {
    const organization = await client.createOrganization({ name, ...(market ? { market } : {}) })
    return { text: organization.id, json: organization }
  },
})

const orgList = managementCommand({
  name: 'org list',
  help: 'List the organizations, with the highest tier each may use.',
  json: true,
  async call(_, { client }) {
    const organizations = await Array.fromAsync(client.listOrganizations({ limit: 100 }))
    const table = formatItemTable(organizations, {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      TIER: ({ tier }) => tier,
      'LIMIT PER MINUTE': ({ limit_per_minute: limit }) => (limit === null ? 'by tier' : String(limit)),
      MARKET: ({ market }) => market ?? 'default',
      CREATED: (organization) => organization.created_at,
    })
    return { json: organizations, text: table }
  },
})

/** A command that changes one field of an organization. `describe` reports the organization afterwards. */
const changeCommand = <Value>(
  { value, ...spec }: { readonly name: string; readonly help: string; readonly value: CommandOption<Value> },
  toChange: (value: Value) => Parameters<DeviceIntelligence['changeOrganization']>[1],
  describe: (organization: Organization) => string,
) =>
  managementCommand({
    ...spec,
    arguments: { id: ORGANIZATION, value },
    async call({ id, value }, { client }, { report }) {
      report(describe(await client.changeOrganization(id, toChange(value))))
    },
  })

const orgRename = changeCommand(
  { name: 'org rename', help: 'Rename an organization.', value: text('NAME') },
  (name) => ({ name }),
  ({ id, name }) => `${id} is now called "${name}".`,
)

const orgLimit = changeCommand(
  {
    name: 'org limit',
    help: "Set or reset the rate limit of an organization's keys.",
    value: orNull('tier', wholeNumber('REQUESTS_PER_MINUTE', { min: 1, max: 9_999_999, unit: 'requests per minute' })),
  },
  (limit) => ({ limit_per_minute: limit }),
  ({ id, limit_per_minute: limit }) =>
    `Keys of ${id} now have ${limit === null ? "their tier's limit" : `${limit} requests per minute`}.`,
)

const orgQuota = managementCommand({
  name: 'org quota',
  help: "Set or remove an organization's monthly request quota.",
  arguments: {
    id: ORGANIZATION,
    requests: orNull(
      'none',
      wholeNumber('REQUESTS_PER_MONTH', { min: 1, max: 999_999_999_999, unit: 'requests per month' }),
    ),
  },
  options: { hard: flag('reject requests beyond the quota with 429; without it the quota is only reported') },
  async call({ id, requests, hard }, { client }, { report }) {
    await client.changeOrganization(id, {
      quota: requests === null ? null : { monthly_requests: requests, is_hard: hard },
    })
    const change = requests === null ? 'removed' : `${requests} requests`
    report(`The monthly quota of ${id} is ${change}. Takes effect within a minute.`)
  },
})

const orgTier = changeCommand(
  {
    name: 'org tier',
    help: 'Set the highest tier that an organization may use, with its keys and in the dashboard.',
    value: choice(TIERS),
  },
  (tier) => ({ tier }),
  ({ id, tier }) =>
    `${id} may now use tiers up to ${tier}. Keys, watches and webhook events above it are paused from now on.`,
)

const orgMarket = changeCommand(
  {
    name: 'org market',
    help: 'Set the country whose prices an organization gets, such as hr, or "service" for the default (MARKET).',
    value: orNull('service', text('CODE')),
  },
  (market) => ({ market }),
  ({ id, market }) => `${id} now gets prices of ${market === null ? 'the default market' : `the market ${market}`}.`,
)

const orgSource = changeCommand(
  {
    name: 'org source',
    help: 'Choose whether the prices of an organization also count in the common market (up to a third of it).',
    value: choice(['common', 'own'] as const),
  },
  (scope) => ({ common_source: scope === 'common' }),
  ({ id, common_source: isCommon }) =>
    isCommon ? `Prices of ${id} now also count in the common market.` : `Prices of ${id} now count for ${id} alone.`,
)

const orgOperator = command({
  name: 'org operator',
  help: 'Set or print the organization that runs the service. Only its owners may import lists in the dashboard.',
  arguments: { id: optional(ORGANIZATION) },
  async run({ id }, context) {
    const store = authStore(await context.openExistingDatabase())
    if (id === undefined) {
      const operator = await store.operatorOrganization()
      if (operator === null) throw new CommandError('No organization runs the service yet. Set it: org operator ORG_ID')
      return { text: operator }
    }
    await store.setOperatorOrganization(id, context.actor, context.now())
    context.report(`Only owners of ${id} may now import lists in the dashboard.`)
    return undefined
  },
})

export const orgCommands = [
  ...[orgCreate, orgList, orgRename, orgLimit, orgQuota, orgTier, orgMarket, orgSource, orgOperator],
  ...[orgPolicyShow, orgPolicySet, orgRemove],
]
