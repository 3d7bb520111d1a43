import { type Denial, findDenial, type Permission, type Powers } from '../contract/permissions.ts'
import { TIER_NAMES } from '../contract/tiers.ts'
import { DASHBOARD_KEY } from '../contract/usage.ts'
import { type Reason, reason } from '../lib/reasons.ts'
import { ApiError } from './api-error.ts'

/** Who sends a request: a person with a session, an API key, or a command on the machine of the database. */
export type Principal = Powers & {
  readonly kind: 'person' | 'key' | 'command'
  /** Id of the account or of the key; `command line` for a command. */
  readonly id: string
  /** Name of the person or of the key. */
  readonly name: string
  /** Name of the shop device that the person uses; absent elsewhere. */
  readonly device?: string
  /** The organization it acts for; another one only with `operates` and by `organization_id`. */
  readonly organizationId: string
  /** Its name in the audit trail. */
  readonly actor: { readonly personId: string | null; readonly who: string }
  /** Whether costs, plans and expected profit are shown to it; an owner may hide them from clerks. */
  readonly seesMargins: boolean
  /** Whether the organization requires a second factor that the person does not have; nothing is permitted then. */
  readonly lacksSecondFactor: boolean
}

export const can = (principal: Principal, permission: Permission): boolean =>
  findDenial(principal, permission) === undefined

/** Throws FORBIDDEN unless the principal has the permission. */
export function requirePermission(principal: Principal, permission: Permission): void {
  if (principal.lacksSecondFactor) {
    throw new ApiError(
      'FORBIDDEN',
      'Your organization requires a second factor. Add one to your account first.',
      reason('second_factor_required'),
    )
  }
  const denial = findDenial(principal, permission)
  if (denial) throw denialError(principal, denial, 'This endpoint needs')
}

/** `subject` says what needs a higher tier, such as `This endpoint needs`. */
export function denialError(principal: Principal, denial: Denial, subject: string): ApiError {
  return new ApiError('FORBIDDEN', denialMessage(principal, denial, subject), denialReason(denial))
}

function denialReason(denial: Denial): Reason {
  if ('tier' in denial) return reason('tier_needed', { tier: TIER_NAMES[denial.tier] })
  if ('right' in denial) return reason('key_lacks_right')
  if (denial.role === 'operator') return reason('operator_needed')
  return denial.role === 'owner' ? reason('owner_needed') : reason('manager_needed')
}

function denialMessage({ kind, tier }: Principal, denial: Denial, subject: string): string {
  if ('tier' in denial) {
    const neededTier = TIER_NAMES[denial.tier]
    const [requirement, current] = kind === 'key' ? ['a key of the', 'yours'] : ['the', "your organization's"]
    return `${subject} ${requirement} ${neededTier} tier and ${current} is ${TIER_NAMES[tier]}. Upgrade to ${neededTier} to use it.`
  }
  if ('right' in denial) {
    const issuer =
      denial.right === 'manage' ? 'An owner of the organization creates one' : 'The operator of the service issues one'
    return `This endpoint needs a key with the right to ${denial.right}. ${issuer}.`
  }
  if (denial.role === 'operator') return 'Only the organization that runs this service may do this.'
  const allowedRoles = denial.role === 'owner' ? 'an owner' : 'a manager or an owner'
  return `Only ${allowedRoles} of the organization may do this.`
}

/** The key id under which the requests of a principal are counted. */
export const usageKeyId = ({ kind, id }: Principal): string => (kind === 'person' ? DASHBOARD_KEY : id)

/** The organization of a principal who sees margins. */
export function requireMargins({ seesMargins, organizationId }: Principal): string {
  if (seesMargins) return organizationId
  throw new ApiError(
    'FORBIDDEN',
    'Reports show margins. Ask an owner for the right to see them.',
    reason('margins_hidden'),
  )
}
