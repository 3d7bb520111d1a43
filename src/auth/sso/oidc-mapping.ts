import { MEMBER_ROLES, type MemberRole } from '../../contract/account-limits.ts'
import { emailValue } from '../../contract/values.ts'

/** Sign-in with an OpenID Connect issuer. */
export type OidcSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Organization id by e-mail domain. Only people with an address of one of these domains may sign in. */
  readonly domains: ReadonlyMap<string, string>
  /** Roles by the groups of a person; null if roles are not taken from the issuer. */
  readonly roles: OidcRoles | null
}

/** The claim with the groups or roles of a person, and the role for each of its values. */
export type OidcRoles = { readonly claim: string; readonly byValue: ReadonlyMap<string, MemberRole> }

/** Name of the issuer for people: "Sign in with login.example". */
export const issuerName = ({ issuer }: Pick<OidcSettings, 'issuer'>): string => new URL(issuer).host

/** Facts about a person that the issuer vouches for. */
export type OidcProfile = { readonly subject: string; readonly email: string; readonly name: string }

const PAIR = /^\s*([^=\s][^=]*?)\s*=\s*(\S+)\s*$/

/** `a=b,c=d` as pairs; undefined if it is something else. */
export function parsePairs(text: string): ReadonlyMap<string, string> | undefined {
  const pairs = new Map<string, string>()
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name, value] = PAIR.exec(pair) ?? []
    if (name === undefined || value === undefined) return undefined
    pairs.set(name, value)
  }
  return pairs
}

/** `groups:admins=owner,staff=clerk`; undefined if the text has no such form or a role does not exist. */
export function parseOidcRoles(text: string): OidcRoles | null | undefined {
  if (text.trim() === '') return null
  const separator = text.lastIndexOf(':', text.indexOf('=') === -1 ? undefined : text.indexOf('='))
  const claim = text.slice(0, Math.max(0, separator)).trim()
  const pairs = parsePairs(text.slice(separator + 1))
  if (claim === '' || !pairs || pairs.size === 0) return undefined
  const roles = new Map<string, MemberRole>()
  for (const [value, name] of pairs) {
    const role = MEMBER_ROLES.find((candidate) => candidate === name)
    if (!role) return undefined
    roles.set(value, role)
  }
  return { claim, byValue: roles }
}

/** The organization of an address by its domain; undefined if people of that domain may not sign in. */
export function organizationOf(email: string, { domains }: Pick<OidcSettings, 'domains'>): string | undefined {
  return domains.get(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
}

/** The strongest role that the claims give; undefined if they say nothing. */
export function roleOf(
  claims: Readonly<Record<string, unknown>>,
  { roles }: Pick<OidcSettings, 'roles'>,
): MemberRole | undefined {
  if (roles === null) return undefined
  const claim = claims[roles.claim]
  const values = Array.isArray(claim) ? claim : [claim]
  const claimedRoles = values.flatMap((value) => roles.byValue.get(String(value)) ?? [])
  return MEMBER_ROLES.find((role) => claimedRoles.includes(role))
}

/** The profile if the issuer has verified the address; otherwise why it is rejected. */
export function profileOf(claims: Readonly<Record<string, unknown>>): OidcProfile | 'no_email' | 'unverified_email' {
  const { sub, email_verified: isVerified, name } = claims
  const email = emailValue.safeParse(claims.email)
  if (typeof sub !== 'string' || !email.success) return 'no_email'
  if (isVerified !== true) return 'unverified_email'
  return { subject: sub, email: email.data, name: typeof name === 'string' ? name.slice(0, 100) : '' }
}
