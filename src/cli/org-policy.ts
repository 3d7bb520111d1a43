import type { DeviceIntelligence } from '../../client/src/index.ts'
import { type PolicyWire, policySchema } from '../contract/policy.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { type CommandOutput, managementCommand, text } from './command.ts'
import { CommandError } from './command-error.ts'

const POLICY_FIELDS = Object.keys(policySchema.shape) as (keyof PolicyWire)[]

export const orgPolicyShow = managementCommand({
  name: 'org policy show',
  help: "Show an organization's buying policy: its own settings and the defaults.",
  arguments: { organizationId: text('ORG_ID') },
  json: true,
  call: async ({ organizationId }, { client }) =>
    policyOutput(await client.getPolicy({ organization_id: organizationId })),
})

export const orgPolicySet = managementCommand({
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
  async call({ organizationId, rest }, { client }, { report }) {
    const change = parsePolicyChange(rest)
    const of = { organization_id: organizationId }
    const { policy: before } = await client.getPolicy(of)
    const changed = await client.changePolicy(of, change)
    const { currency } = changed.policy
    if (before.currency !== currency) report(`Amounts were converted from ${before.currency} to ${currency}.`)
    return policyOutput(changed)
  },
})

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

function policyOutput(ownPolicy: Awaited<ReturnType<DeviceIntelligence['getPolicy']>>): CommandOutput {
  const { policy, own } = ownPolicy
  const table = formatItemTable(POLICY_FIELDS, {
    TERM: (term) => term,
    VALUE: (term) => String(policy[term]),
    SET: (term) => (own.includes(term) ? 'own' : 'default'),
  })
  return { json: { policy, own }, text: table }
}
