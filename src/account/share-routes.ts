import { asPerson } from '../access/actor.ts'
import type { Share } from '../appraisal/share-store.ts'
import { mintShareToken } from '../appraisal/share-token.ts'
import { accountBodies, type NewShareWire, type ShareWire } from '../contract/account.ts'
import { isoInstant, isoInstantOrNull } from '../time.ts'
import { checkTier } from './check-tier.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, changes, DONE, reads } from './route.ts'

/** The codes on printed sheets: who holds one may see what was chosen, until it is withdrawn. */
export function shareRoutes(parts: AccountParts): AccountRoute[] {
  const { shares } = parts.appraisal
  return [
    reads('/account/appraisals/shares', 'member', async (c) => {
      const made = await shares.of(c.get('organization').id, c.req.query('appraisal_id') ?? '')
      return { data: made.map(present) }
    }),

    changes('/account/appraisals/share', 'member', accountBodies.shareAppraisal, async (c, body) => {
      checkTier(c, 'paid')
      const token = mintShareToken()
      const given = { appraisalId: body.appraisal_id, shown: [...new Set(body.shown)], token }
      const person = asPerson(c.get('person'))
      const share = await shares.create(c.get('organization').id, given, person, c.get('facts').now)
      const data: NewShareWire = { share: present(share), address: `${parts.baseUrl()}/verify/${token}` }
      return { data }
    }),

    changes('/account/appraisals/withdraw', 'member', accountBodies.withdrawShare, async (c, { id }) => {
      await shares.withdraw(c.get('organization').id, id, asPerson(c.get('person')), c.get('facts').now)
      return DONE
    }),
  ]
}

function present(share: Share): ShareWire {
  return {
    id: share.id,
    shown: [...share.shown],
    created_at: isoInstant(share.createdAt),
    created_by: share.createdBy,
    withdrawn_at: isoInstantOrNull(share.withdrawnAt),
  }
}
