import { ownPolicy } from '../appraisal/policies.ts'
import { presentPolicy } from '../appraisal/policy.ts'
import { type OwnPolicy, policyStore } from '../appraisal/policy-store.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import { type PolicyWire, policySchema } from '../contract/policy.ts'
import { exchangeStore } from '../currency/exchange-store.ts'
import type { Database } from '../db/open.ts'
import { invalid } from '../errors.ts'
import { readAs } from '../read-as.ts'
import { textTable } from '../text/text-table.ts'
import { dayOf } from '../time.ts'
import { commandLineActor } from './actor.ts'
import { type Command, type Context, readArguments } from './command.ts'
import { CommandError } from './command-error.ts'

const SHOW_USAGE = 'org policy show ORG_ID [--json]'
const TERMS = Object.keys(policySchema.shape) as (keyof PolicyWire)[]

export const orgPolicyShow: Command = {
  name: 'org policy show',
  usage: 'ORG_ID [--json]',
  help: 'Show what an organization wants of a deal: its own terms of appraisals, and those that hold for all.',
  async run(args, context) {
    const { values, positionals } = readArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 1, most: 1, usage: SHOW_USAGE },
    )
    const own = await policyStore(await context.openStore()).of(positionals[0] ?? '')
    show(own, values.json === true, context)
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
    ...TERMS.map((term) => `  ${term.padEnd(24)}${policySchema.shape[term].description ?? ''}`),
    '',
    'Example: org policy set ORG_ID target_margin_percent=15 at_medium_risk=offer',
  ].join('\n'),
  async run(args, context) {
    const { values, positionals } = readArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 2, most: 1 + TERMS.length, usage: SET_USAGE },
    )
    const [organizationId = '', ...words] = positionals
    const given = readTerms(words)
    const db = await context.openStore()
    await checkCurrency(given, db, context.now())
    const own = await policyStore(db).change(organizationId, given, commandLineActor(), context.now())
    show(own, values.json === true, context)
    return 0
  },
}

type Given = { [Term in keyof PolicyWire]?: PolicyWire[Term] | null }

function readTerms(words: readonly string[]): Given {
  const given: Record<string, unknown> = {}
  const taken: Record<string, null> = {}
  for (const word of words) {
    const at = word.indexOf('=')
    const name = word.slice(0, Math.max(0, at))
    const value = word.slice(at + 1)
    const term = TERMS.find((each) => each === name)
    if (!term) throw new CommandError(`"${word}" is not a term and a value. Terms: ${TERMS.join(', ')}.`, 2)
    if (value === 'default') taken[term] = null
    else if (term === 'currency') given[term] = value.toUpperCase()
    else given[term] = value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value
  }
  return { ...readAs(policySchema.partial(), given, { whole: 'policy' }), ...taken }
}

/** A policy in a currency without a rate could not be reckoned with. */
async function checkCurrency({ currency }: Given, db: Database, now: number): Promise<void> {
  if (!currency || currency === BASE_CURRENCY) return
  const known = (await exchangeStore(db).newest(dayOf(now))).map((rate) => rate.currency)
  if (known.includes(currency)) return
  throw invalid('currency', currency, `a currency there is a rate for: ${[BASE_CURRENCY, ...known].join(', ')}`)
}

function show(own: OwnPolicy, json: boolean, { print, config }: Context): void {
  const policy = presentPolicy(ownPolicy(own, config.labourCentsPerHour))
  if (json) print(JSON.stringify(policy))
  else {
    const rows = TERMS.map((term) => [term, String(policy[term]), term in own ? 'own' : 'for all'])
    print(textTable(['TERM', 'VALUE', 'SET'], rows))
  }
}
