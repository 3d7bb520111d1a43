import { authStore } from '../auth/auth-store.ts'
import { TIERS } from '../contract/tiers.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { isoInstant } from '../lib/time.ts'
import { quotaStore } from '../usage/quota-store.ts'
import { type CommandContext, choice, command, flag, optional, orNull, text, wholeNumber } from './command.ts'
import { CommandError } from './command-error.ts'
import { orgPolicySet, orgPolicyShow } from './org-policy.ts'
import { orgRemove } from './org-remove.ts'
import { presentOrganization } from './present.ts'

const ORGANIZATION = text('ORG_ID')

const openStore = async ({ openExistingDatabase }: CommandContext) => authStore(await openExistingDatabase())

const orgCreate = command({
  name: 'org create',
  help: 'Create an organization and print its id.',
  arguments: { name: text('NAME') },
  json: true,
  async run({ name }, context) {
    const store = authStore(await context.openOrCreateDatabase())
    const organization = await store.createOrganization(name, context.actor, context.now())
    return { text: organization.id, json: presentOrganization(organization) }
  },
})

const orgList = command({
  name: 'org list',
  help: 'List the organizations, with the highest tier each may use.',
  json: true,
  async run(_, context) {
    const organizations = await (await openStore(context)).organizations()
    const table = formatItemTable(organizations, {
      ID: ({ id }) => id,
      NAME: ({ name }) => name,
      TIER: ({ tier }) => tier,
      'LIMIT PER MINUTE': ({ limitPerMinute }) => (limitPerMinute === null ? 'by tier' : String(limitPerMinute)),
      MARKET: ({ market }) => market ?? 'default',
      CREATED: ({ createdAt }) => isoInstant(createdAt),
    })
    return { json: organizations.map(presentOrganization), text: table }
  },
})

const orgRename = command({
  name: 'org rename',
  help: 'Rename an organization.',
  arguments: { id: ORGANIZATION, name: text('NAME') },
  async run({ id, name }, context) {
    const renamed = await (await openStore(context)).renameOrganization(id, name, context.actor, context.now())
    context.report(`${id} is now called "${renamed}".`)
  },
})

const orgLimit = command({
  name: 'org limit',
  help: "Set or reset the rate limit of an organization's keys.",
  arguments: {
    id: ORGANIZATION,
    limit: orNull('tier', wholeNumber('REQUESTS_PER_MINUTE', { min: 1, max: 9_999_999, unit: 'requests per minute' })),
  },
  async run({ id, limit }, context) {
    await (await openStore(context)).setLimit(id, limit, context.actor, context.now())
    context.report(`Keys of ${id} now have ${limit === null ? "their tier's limit" : `${limit} requests per minute`}.`)
  },
})

const orgQuota = command({
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
  async run({ id, requests, hard }, context) {
    const quota = requests === null ? null : { monthlyRequests: requests, isHard: hard }
    await quotaStore(await context.openExistingDatabase()).setQuota(id, quota, context.actor, context.now())
    const state = requests === null ? 'removed' : `${requests} requests`
    context.report(`The monthly quota of ${id} is ${state}. Takes effect within a minute.`)
  },
})

const orgTier = command({
  name: 'org tier',
  help: 'Set the highest tier that an organization may use, with its keys and in the dashboard.',
  arguments: { id: ORGANIZATION, tier: choice(TIERS) },
  async run({ id, tier }, context) {
    await (await openStore(context)).setTier(id, tier, context.actor, context.now())
    context.report(
      `${id} may now use tiers up to ${tier}. Keys, watches and webhook events above it are paused from now on.`,
    )
  },
})

const orgMarket = command({
  name: 'org market',
  help: 'Set the country whose prices an organization gets, such as hr, or "service" for the default (MARKET).',
  arguments: { id: ORGANIZATION, market: orNull('service', text('CODE')) },
  async run({ id, market }, context) {
    const code = await (await openStore(context)).setMarket(id, market, context.actor, context.now())
    context.report(`${id} now gets prices of ${code === null ? 'the default market' : `the market ${code}`}.`)
  },
})

const orgSource = command({
  name: 'org source',
  help: 'Choose whether the prices of an organization also count in the common market (up to a third of it).',
  arguments: { id: ORGANIZATION, scope: choice(['common', 'own']) },
  async run({ id, scope }, context) {
    await (await openStore(context)).setCommonSource(id, scope === 'common', context.actor, context.now())
    context.report(
      scope === 'common'
        ? `Prices of ${id} now also count in the common market.`
        : `Prices of ${id} now count for ${id} alone.`,
    )
  },
})

const orgOperator = command({
  name: 'org operator',
  help: 'Set or print the organization that runs the service. Only its owners may import lists in the dashboard.',
  arguments: { id: optional(ORGANIZATION) },
  async run({ id }, context) {
    const store = await openStore(context)
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
