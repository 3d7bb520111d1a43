import { asPerson } from '../access/actor.ts'
import { ownPolicy } from '../appraisal/policies.ts'
import { presentPolicy } from '../appraisal/policy.ts'
import type { OwnPolicy } from '../appraisal/policy-store.ts'
import { accountBodies, type PolicyPageWire } from '../contract/account.ts'
import { type PolicyWire, policySchema } from '../contract/policy.ts'
import { readAs } from '../read-as.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, changes, reads } from './route.ts'

const TERMS = Object.keys(policySchema.shape) as (keyof PolicyWire)[]
const SAYS = Object.fromEntries(
  TERMS.map((term) => [term, policySchema.shape[term].description ?? '']),
) as PolicyPageWire['says']

/** What the organization wants of a deal. */
export function policyRoutes(parts: AccountParts): AccountRoute[] {
  const { policies, rates, labourCentsPerHour } = parts.appraisal

  function present(own: OwnPolicy): PolicyPageWire {
    return {
      policy: presentPolicy(ownPolicy(own, labourCentsPerHour)),
      own: TERMS.filter((term) => term in own),
      for_all: presentPolicy(ownPolicy({}, labourCentsPerHour)),
      says: SAYS,
      currencies: [...rates.currencies()],
    }
  }

  return [
    reads('/account/policy', 'member', async (c) => ({ data: present(await policies.of(c.get('organization').id)) })),

    changes('/account/policy', 'owner', accountBodies.changePolicy, async (c, { terms }) => {
      const { now } = c.get('facts')
      const taken = TERMS.filter((term) => terms[term] === null)
      const set = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null))
      const given = readAs(policySchema.partial(), set, { whole: 'terms' })
      // A policy in a currency without a rate could not be reckoned with.
      rates.exchange(given.currency)
      const change = { ...given, ...Object.fromEntries(taken.map((term) => [term, null])) }
      const own = await policies.change(c.get('organization').id, change, asPerson(c.get('person')), now)
      return { data: present(own) }
    }),
  ]
}
