import { MEMBER_ROLES, type MemberRole } from '../contract/account-limits.ts'

/** Sign-in with an OpenID Connect issuer. */
export type OidcSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** On the button: "Sign in with NAME". */
  readonly name: string
  /** Organization id by e-mail domain. Only people with an address of one of these domains may sign in. */
  readonly domains: ReadonlyMap<string, string>
  /** Claim with the groups or roles of a person; empty if roles are not taken from the issuer. */
  readonly roleClaim: string
  /** Role by value of the claim. */
  readonly roles: ReadonlyMap<string, MemberRole>
}

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

/** Roles by value of the claim; undefined if the text has no such form or a role does not exist. */
export function parseRolePairs(text: string): ReadonlyMap<string, MemberRole> | undefined {
  const pairs = parsePairs(text)
  if (!pairs) return undefined
  const roles = new Map<string, MemberRole>()
  for (const [value, name] of pairs) {
    const role = MEMBER_ROLES.find((candidate) => candidate === name)
    if (!role) return undefined
    roles.set(value, role)
  }
  return roles
}

/** The organization of an address by its domain; undefined if people of that domain may not sign in. */
export function organizationOf(email: string, { domains }: Pick<OidcSettings, 'domains'>): string | undefined {
  return domains.get(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
}

/** The strongest role that the claims give; undefined if they say nothing. */
export function roleOf(
  claims: Readonly<Record<string, unknown>>,
  { roleClaim, roles }: Pick<OidcSettings, 'roleClaim' | 'roles'>,
): MemberRole | undefined {
  const claim = roleClaim === '' ? undefined : claims[roleClaim]
  const values = Array.isArray(claim) ? claim : [claim]
  const claimedRoles = values.flatMap((value) => roles.get(String(value)) ?? [])
  return MEMBER_ROLES.find((role) => claimedRoles.includes(role))
}

/** The profile if the issuer has verified the address; otherwise why it is rejected. */
export function profileOf(claims: Readonly<Record<string, unknown>>): OidcProfile | 'no_email' | 'unverified_email' {
  const { sub, email, email_verified: isVerified, name } = claims
  if (typeof sub !== 'string' || typeof email !== 'string' || !email.includes('@')) return 'no_email'
  if (isVerified !== true) return 'unverified_email'
  return { subject: sub, email: email.trim().toLowerCase(), name: typeof name === 'string' ? name.slice(0, 100) : '' }
}
