import { authStore } from '../auth/auth-store.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { isoInstant } from '../lib/time.ts'
import { quotaStore } from '../usage/quota-store.ts'
import { type Command, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'
import { presentOrganization } from './present.ts'

const CREATE_USAGE = 'org create NAME [--json]'

export const orgCreate: Command = {
  name: 'org create',
  usage: 'NAME [--json]',
  help: 'Make an organization and print its id.',
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 1, most: 1, usage: CREATE_USAGE },
    )
    const access = authStore(await context.openOrCreateDatabase())
    const organization = await access.createOrganization(positionals[0] ?? '', currentCommandLineActor(), context.now())
    context.print(values.json ? JSON.stringify(presentOrganization(organization)) : organization.id)
    return 0
  },
}

export const orgList: Command = {
  name: 'org list',
  usage: '[--json]',
  help: 'List the organizations, with the highest tier each may use.',
  async run(args, context) {
    const { values } = parseArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 0, usage: 'org list [--json]' },
    )
    const organizations = await authStore(await context.openExistingDatabase()).organizations()
    if (values.json) context.print(JSON.stringify(organizations.map(presentOrganization)))
    else {
      const rows = organizations.map(({ id, name, tier, limitPerMinute, market, createdAt }) => [
        id,
        name,
        tier,
        limitPerMinute === null ? 'by tier' : String(limitPerMinute),
        market ?? 'of the service',
        isoInstant(createdAt),
      ])
      context.print(formatTextTable(['ID', 'NAME', 'TIER', 'LIMIT PER MINUTE', 'MARKET', 'CREATED'], rows))
    }
    return 0
  },
}

const RENAME_USAGE = 'org rename ORG_ID NAME'

export const orgRename: Command = {
  name: 'org rename',
  usage: 'ORG_ID NAME',
  help: 'Give an organization another name.',
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 2, most: 2, usage: RENAME_USAGE })
    const [id = '', given = ''] = positionals
    const access = authStore(await context.openExistingDatabase())
    const name = await access.renameOrganization(id, given, currentCommandLineActor(), context.now())
    context.report(`${id} is now called "${name}".`)
    return 0
  },
}

const LIMIT_USAGE = 'org limit ORG_ID REQUESTS_PER_MINUTE|tier'

export const orgLimit: Command = {
  name: 'org limit',
  usage: 'ORG_ID REQUESTS_PER_MINUTE|tier',
  help: "Give an organization's keys a limit of their own, or the tier's again.",
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 2, most: 2, usage: LIMIT_USAGE })
    const [id = '', given = ''] = positionals
    if (given !== 'tier' && !/^[1-9]\d{0,6}$/.test(given)) {
      throw new CommandError(`A limit is a whole number from 1 to 9999999 or "tier". Usage: ${LIMIT_USAGE}`, 2)
    }
    const limit = given === 'tier' ? null : Number(given)
    await authStore(await context.openExistingDatabase()).setLimit(id, limit, currentCommandLineActor(), context.now())
    context.report(
      `Keys of ${id} now have ${given === 'tier' ? "their tier's limit" : `${given} requests per minute`}.`,
    )
    return 0
  },
}

const QUOTA_USAGE = 'org quota ORG_ID REQUESTS_PER_MONTH|none [--hard]'

export const orgQuota: Command = {
  name: 'org quota',
  usage: 'ORG_ID REQUESTS_PER_MONTH|none [--hard]',
  help: "Set or remove an organization's monthly request quota.",
  details: '  --hard  reject requests beyond the quota with 429; without it the quota is only reported',
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      { hard: { type: 'boolean' } },
      { least: 2, most: 2, usage: QUOTA_USAGE },
    )
    const [id = '', given = ''] = positionals
    if (given !== 'none' && !/^[1-9]\d{0,11}$/.test(given)) {
      throw new CommandError(`A quota is a whole number of requests or "none". Usage: ${QUOTA_USAGE}`, 2)
    }
    const quota = given === 'none' ? null : { monthlyRequests: Number(given), isHard: values.hard === true }
    const store = quotaStore(await context.openExistingDatabase())
    await store.setQuota(id, quota, currentCommandLineActor(), context.now())
    context.report(
      `The monthly quota of ${id} is ${quota ? `${given} requests` : 'removed'}. Effective within a minute.`,
    )
    return 0
  },
}

const MARKET_USAGE = 'org market ORG_ID CODE|service'

export const orgMarket: Command = {
  name: 'org market',
  usage: 'ORG_ID CODE|service',
  help: "Set the country whose prices an organization gets, such as hr, or the service's (MARKET) again.",
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 2, most: 2, usage: MARKET_USAGE })
    const [id = '', given = ''] = positionals
    const access = authStore(await context.openExistingDatabase())
    const code = given === 'service' ? null : given
    const market = await access.setMarket(id, code, currentCommandLineActor(), context.now())
    context.report(`${id} now gets prices of ${market === null ? "the service's market" : `the market ${market}`}.`)
    return 0
  },
}

const SOURCE_USAGE = 'org source ORG_ID common|own'

export const orgSource: Command = {
  name: 'org source',
  usage: 'ORG_ID common|own',
  help: "Let an organization's own prices count in the common market, at most as a third of it, or for itself alone.",
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 2, most: 2, usage: SOURCE_USAGE })
    const [id = '', given = ''] = positionals
    if (given !== 'common' && given !== 'own') {
      throw new CommandError(`Prices are "common" or an organization's "own". Usage: ${SOURCE_USAGE}`, 2)
    }
    const access = authStore(await context.openExistingDatabase())
    await access.setCommonSource(id, given === 'common', currentCommandLineActor(), context.now())
    context.report(
      given === 'common'
        ? `Prices of ${id} now also count in the common market.`
        : `Prices of ${id} now count for ${id} alone.`,
    )
    return 0
  },
}

export const orgOperator: Command = {
  name: 'org operator',
  usage: '[ORG_ID]',
  help: 'Say which organization runs the service: its owners may import lists in the dashboard. Without an id, print it.',
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 0, most: 1, usage: 'org operator [ORG_ID]' })
    const [id] = positionals
    const access = authStore(await context.openExistingDatabase())
    if (id === undefined) {
      const known = await access.operatorOrganization()
      if (known === null)
        throw new CommandError('No organization runs the service yet: org operator ORG_ID says which.')
      context.print(known)
      return 0
    }
    await access.setOperatorOrganization(id, currentCommandLineActor(), context.now())
    context.report(`Owners of ${id} may now import lists in the dashboard, and nobody else may.`)
    return 0
  },
}
