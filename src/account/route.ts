import type { z } from 'zod'
import type { Role } from '../contract/account.ts'
import type { Tier } from '../contract/tiers.ts'
import type { Answer, ContextWith } from '../http/context.ts'
import type { Person } from './person-store.ts'

/** Who must be asking: nobody in particular, somebody signed in, a member of the organization, one of its owners. */
export type Access = 'anyone' | 'person' | 'member' | 'owner'

/** The organization that the session works in. It never comes from anything else in the request. */
export type CurrentOrganization = {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly tier: Tier
  /** Requests per minute of a key of each tier. */
  readonly limits: Readonly<Record<Tier, number>>
  readonly needsSecondFactor: boolean
}

type AnyonesVariables = { address: string }
type PersonsVariables = AnyonesVariables & {
  person: Person
  sessionId: string
  organization: CurrentOrganization | null
}
type MembersVariables = PersonsVariables & { organization: CurrentOrganization }

type VariablesFor<A extends Access> = A extends 'anyone'
  ? AnyonesVariables
  : A extends 'person'
    ? PersonsVariables
    : MembersVariables

/** The context of a request to /account: what is known of whoever asks depends on who may. */
export type AccountContext<A extends Access = 'member'> = ContextWith<VariablesFor<A>>

export type AccountRoute = {
  readonly method: 'GET' | 'POST'
  /** An exact path, or with "/*" at its end the path before that and everything below. */
  readonly path: `/account/${string}`
  readonly access: Access
  readonly body: z.ZodType | undefined
  readonly handle: (c: AccountContext, body: unknown) => Promise<Answer | Response>
}

/** A reading route. */
export function reads<A extends Access>(
  path: `/account/${string}`,
  access: A,
  handle: (c: AccountContext<A>) => Promise<Answer | Response>,
): AccountRoute {
  return { method: 'GET', path, access, body: undefined, handle: handle as AccountRoute['handle'] }
}

/** A changing route; its body is checked against the contract before it is called. */
export function changes<A extends Access, B extends z.ZodType>(
  path: `/account/${string}`,
  access: A,
  body: B,
  handle: (c: AccountContext<A>, body: z.infer<B>) => Promise<Answer | Response>,
): AccountRoute {
  return { method: 'POST', path, access, body, handle: handle as AccountRoute['handle'] }
}

/** A changing route whose body is bytes, which it reads by itself. */
export function takes<A extends Access>(
  path: `/account/${string}`,
  access: A,
  handle: (c: AccountContext<A>) => Promise<Answer | Response>,
): AccountRoute {
  return { ...reads(path, access, handle), method: 'POST' }
}

export const DONE = { data: { done: true } } as const satisfies Answer
