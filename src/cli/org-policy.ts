import { presentPolicy, type StoredPolicy } from '../appraisal/policy.ts'
import { effectivePolicy } from '../appraisal/policy-service.ts'
import { policyStore } from '../appraisal/policy-store.ts'
import { organizationStore } from '../auth/organization-store.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import { type PolicyWire, policySchema } from '../contract/policy.ts'
import { type Exchange, findExchange } from '../currency/exchange.ts'
import { exchangeRateStore } from '../currency/exchange-rate-store.ts'
import { createRateLookup } from '../currency/rate-lookup.ts'
import type { Database } from '../db/database.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { dayOf } from '../lib/time.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { labourRate } from '../repairs/repair-market.ts'
import { type Command, type CommandContext, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'

const SHOW_USAGE = 'org policy show ORG_ID [--json]'
const POLICY_FIELDS = Object.keys(policySchema.shape) as (keyof PolicyWire)[]

export const orgPolicyShow: Command = {
  name: 'org policy show',
  usage: 'ORG_ID [--json]',
  help: 'Show what an organization wants of a deal: its own terms of appraisals, and those that hold for all.',
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 1, most: 1, usage: SHOW_USAGE },
    )
    const db = await context.openExistingDatabase()
    const [organizationId = ''] = positionals
    const own = await policyStore(db).of(organizationId)
    const labour = await readLabourRate(db, organizationId, context)
    printPolicy(own, labour, await readExchanges(db, context.now()), values.json === true, context)
    return 0
  },
}

const SET_USAGE = 'org policy set ORG_ID TERM=VALUE … [--json]'

export const orgPolicySet: Command = {
  name: 'org policy set',
  usage: 'ORG_ID TERM=VALUE … [--json]',
  help: 'Change terms of appraisals of an organization; the value "default" takes one back.',
  details: [
    'Terms (amounts are minor units of the currency of the policy):',
    ...POLICY_FIELDS.map((term) => `  ${term.padEnd(24)}${policySchema.shape[term].description ?? ''}`),
    '',
    'Example: org policy set ORG_ID target_margin_percent=15 action_at_medium_risk=offer',
  ].join('\n'),
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 2, most: 1 + POLICY_FIELDS.length, usage: SET_USAGE },
    )
    const [organizationId = '', ...words] = positionals
    const given = parsePolicyChange(words)
    const db = await context.openExistingDatabase()
    const exchangeFor = await readExchanges(db, context.now())
    exchangeFor(given.currency ?? undefined)
    const policies = policyStore(db)
    const before = await policies.of(organizationId)
    const own = await policies.change(organizationId, given, currentCommandLineActor(), context.now(), exchangeFor)
    if (own.currency !== before.currency) {
      context.report(
        `Amounts were converted from ${before.currency ?? BASE_CURRENCY} to ${own.currency ?? BASE_CURRENCY}.`,
      )
    }
    const labour = await readLabourRate(db, organizationId, context)
    printPolicy(own, labour, exchangeFor, values.json === true, context)
    return 0
  },
}

type PolicyChange = { [Term in keyof PolicyWire]?: PolicyWire[Term] | null }

function parsePolicyChange(words: readonly string[]): PolicyChange {
  const given: Record<string, unknown> = {}
  const taken: Record<string, null> = {}
  for (const word of words) {
    const at = word.indexOf('=')
    const name = word.slice(0, Math.max(0, at))
    const value = word.slice(at + 1)
    const term = POLICY_FIELDS.find((each) => each === name)
    if (!term) throw new CommandError(`"${word}" is not a term and a value. Terms: ${POLICY_FIELDS.join(', ')}.`, 2)
    if (value === 'default') taken[term] = null
    else if (term === 'currency') given[term] = value.toUpperCase()
    else if (value === 'true' || value === 'false') given[term] = value === 'true'
    else given[term] = value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value
  }
  return { ...parseOrThrow(policySchema.partial(), given, { root: 'policy' }), ...taken }
}

type ExchangeFor = (currency: string | undefined) => Exchange

async function readExchanges(db: Database, now: number): Promise<ExchangeFor> {
  const rates = createRateLookup(await exchangeRateStore(db).newest(dayOf(now)))
  return (currency) => findExchange(rates, currency, dayOf(now))
}

async function readLabourRate(db: Database, organizationId: string, { config }: CommandContext): Promise<number> {
  return labourRate(config, (await organizationStore(db).organizationMarket(organizationId)) ?? config.market)
}

function printPolicy(
  own: StoredPolicy,
  labourCentsPerHour: number,
  exchangeFor: ExchangeFor,
  json: boolean,
  { print }: CommandContext,
): void {
  const policy = presentPolicy(effectivePolicy(own, labourCentsPerHour, exchangeFor))
  if (json) print(JSON.stringify(policy))
  else {
    const rows = POLICY_FIELDS.map((term) => [term, String(policy[term]), term in own ? 'own' : 'for all'])
    print(formatTextTable(['TERM', 'VALUE', 'SET'], rows))
  }
}
