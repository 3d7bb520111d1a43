import { presentPolicy, type StoredPolicy } from '../appraisal/policy.ts'
import { effectivePolicy } from '../appraisal/policy-service.ts'
import { policyStore } from '../appraisal/policy-store.ts'
import { organizationStore } from '../auth/organization-store.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import type { OwnPolicyWire } from '../contract/management-organization.ts'
import { type PolicyWire, policySchema } from '../contract/policy.ts'
import { type Exchange, findExchange } from '../currency/exchange.ts'
import { exchangeRateStore } from '../currency/exchange-rate-store.ts'
import { createRateLookup } from '../currency/rate-lookup.ts'
import type { Database } from '../db/database.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { dayOf } from '../lib/time.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { labourRate } from '../repairs/repair-market.ts'
import { type CommandContext, type CommandOutput, command, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { defaultMarketOf } from './stored-settings.ts'

const POLICY_FIELDS = Object.keys(policySchema.shape) as (keyof PolicyWire)[]

export const orgPolicyShow = command({
  name: 'org policy show',
  help: "Show an organization's buying policy: its own settings and the defaults.",
  arguments: { organizationId: text('ORG_ID') },
  json: true,
  async run({ organizationId }, context) {
    const db = await context.openExistingDatabase()
    const own = await policyStore(db).of(organizationId)
    const labour = await readLabourRate(db, organizationId, context)
    return policyOutput(presentOwn(own, labour, await readExchanges(db, context.now())))
  },
  remote: async ({ organizationId }, { client }) =>
    policyOutput(await client.getPolicy({ organization_id: organizationId })),
})

export const orgPolicySet = command({
  name: 'org policy set',
  help: 'Change settings of an organization\'s buying policy; the value "default" resets one.',
  arguments: { organizationId: text('ORG_ID') },
  rest: 'TERM=VALUE',
  json: true,
  notes: [
    'Terms (amounts are minor units of the currency of the policy):',
    ...POLICY_FIELDS.map((term) => `  ${term.padEnd(24)}${policySchema.shape[term].description ?? ''}`),
    '',
    'Example: org policy set ORG_ID target_margin_percent=15 action_at_medium_risk=offer',
  ],
  async run({ organizationId, rest }, context) {
    const change = parsePolicyChange(rest)
    const db = await context.openExistingDatabase()
    const exchangeFor = await readExchanges(db, context.now())
    // Throws if the currency has no exchange rate.
    exchangeFor(change.currency ?? undefined)
    const policies = policyStore(db)
    const before = await policies.of(organizationId)
    const own = await policies.change(organizationId, change, context.actor, context.now(), exchangeFor)
    reportConversion(before.currency ?? BASE_CURRENCY, own.currency ?? BASE_CURRENCY, context)
    return policyOutput(presentOwn(own, await readLabourRate(db, organizationId, context), exchangeFor))
  },
  async remote({ organizationId, rest }, { client }, context) {
    const change = parsePolicyChange(rest)
    const of = { organization_id: organizationId }
    const before = await client.getPolicy(of)
    const after = await client.changePolicy(of, change)
    reportConversion(before.policy.currency, after.policy.currency, context)
    return policyOutput(after)
  },
})

function reportConversion(before: string, after: string, { report }: CommandContext): void {
  if (before !== after) report(`Amounts were converted from ${before} to ${after}.`)
}

type PolicyChange = { [Term in keyof PolicyWire]?: PolicyWire[Term] | null }

function parsePolicyChange(words: readonly string[]): PolicyChange {
  const values: Record<string, unknown> = {}
  const resets: Record<string, null> = {}
  for (const word of words) {
    const at = word.indexOf('=')
    const name = word.slice(0, Math.max(0, at))
    const value = word.slice(at + 1)
    const term = POLICY_FIELDS.find((each) => each === name)
    if (!term) throw new CommandError(`"${word}" is not a term and a value. Terms: ${POLICY_FIELDS.join(', ')}.`, 2)
    if (value === 'default') resets[term] = null
    else if (term === 'currency') values[term] = value.toUpperCase()
    else if (value === 'true' || value === 'false') values[term] = value === 'true'
    else values[term] = value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value
  }
  return { ...parseOrThrow(policySchema.partial(), values, { root: 'policy' }), ...resets }
}

type ExchangeFor = (currency: string | undefined) => Exchange

async function readExchanges(db: Database, now: number): Promise<ExchangeFor> {
  const rates = createRateLookup(await exchangeRateStore(db).newest(dayOf(now)))
  return (currency) => findExchange(rates, currency, dayOf(now))
}

async function readLabourRate(db: Database, organizationId: string, context: CommandContext): Promise<number> {
  const market = await organizationStore(db).organizationMarket(organizationId)
  return labourRate(context.config, market ?? (await defaultMarketOf(db, context)))
}

function presentOwn(own: StoredPolicy, labourCentsPerHour: number, exchangeFor: ExchangeFor): OwnPolicyWire {
  const policy = presentPolicy(effectivePolicy(own, labourCentsPerHour, exchangeFor))
  return { policy, own: POLICY_FIELDS.filter((term) => term in own) }
}

function policyOutput({ policy, own }: OwnPolicyWire): CommandOutput {
  const table = formatItemTable(POLICY_FIELDS, {
    TERM: (term) => term,
    VALUE: (term) => String(policy[term]),
    SET: (term) => (own.includes(term) ? 'own' : 'default'),
  })
  return { json: policy, text: table }
}
