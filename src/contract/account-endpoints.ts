import { z } from 'zod'
import * as account from './account.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './account-limits.ts'
import { LANGUAGES } from './languages.ts'
import { matchPath } from './path-template.ts'
import { emailValue as email, idValue as id, nameValue as name } from './values.ts'

/** A request that only a person sends, from a page of ours. Everything else is an operation of `/api`. */
export type AccountEndpoint = {
  /** `person`: someone with a session. */
  readonly access: 'anyone' | 'person'
  /** Parameters of the path, which are written `{name}`. */
  readonly params?: z.ZodType
  readonly body?: z.ZodType
  /** `data` of the response; null if the browser navigates to it and is redirected. */
  readonly response: z.ZodType | null
}

const password = z.string().max(MAX_PASSWORD_LENGTH)
const newPassword = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH)
const token = z.string().regex(/^[A-Za-z0-9_-]{20,100}$/, 'the token of a link')
const code = z.string().max(20)
const passkeyId = z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/, 'the id of a passkey')
/** A passkey response of the browser; the WebAuthn library validates the rest. */
const passkey = z.looseObject({ id: passkeyId })

const done = z.strictObject({ done: z.literal(true) })
const passkeyOptions = z.strictObject({ token: z.string(), options: z.custom<object>() })
const newRecoveryCodes = z.strictObject({ recovery_codes: z.array(z.string()).nullable() })
const signedIn = z.union([done, z.strictObject({ second_factor: account.secondFactorChallengeSchema })])
const signInBegun = z.union([
  ...signedIn.options,
  z.strictObject({ choose_organization: account.organizationChoiceSchema }),
  z.strictObject({ passkey: passkeyOptions }),
])

export const accountEndpoints = {
  'POST /account/setup': {
    access: 'anyone',
    body: z.object({
      code: z.string().max(60),
      organization: name,
      market: z.string().max(40).optional(),
      email,
      name: name.optional(),
      password: newPassword,
    }),
    response: done,
  },

  'GET /account/sign-in': { access: 'anyone', response: account.signInOptionsSchema },
  /** Begins with an address and a password, or with a passkey. */
  'POST /account/sign-in': {
    access: 'anyone',
    body: z.union([z.strictObject({ with_passkey: z.literal(true) }), z.object({ email, password })]),
    response: signInBegun,
  },
  /** The next step of a sign-in: the organization, or a code, a recovery code or the signature of a passkey. */
  'POST /account/sign-in/continue': {
    access: 'anyone',
    body: z.object({
      token,
      organization_id: id.optional(),
      code: code.optional(),
      recovery_code: z.string().max(60).optional(),
      passkey: passkey.optional(),
    }),
    response: signedIn,
  },
  'GET /account/oidc/start': { access: 'anyone', response: null },
  'GET /account/oidc/callback': { access: 'anyone', response: null },

  'POST /account/forgot-password': { access: 'anyone', body: z.object({ email }), response: done },
  'POST /account/link': { access: 'anyone', body: z.object({ token }), response: account.linkSchema },
  /** Joins the organization, sets a new password or confirms a new address, by the purpose of the link. */
  'POST /account/link/use': {
    access: 'anyone',
    body: z.object({ token, name: name.optional(), password: newPassword.optional() }),
    response: signedIn,
  },

  'GET /account/session': { access: 'person', response: account.sessionSchema },
  'DELETE /account/session': {
    access: 'anyone',
    // Where the browser goes next to sign out at the issuer; null if the session did not begin there.
    response: z.strictObject({ done: z.literal(true), issuer_url: z.string().nullable() }),
  },
  /**
   * A one-time link by which another device signs in, within ten minutes: as the person who is named, on a shop device if it
   * has a name. Owners make it for managers and clerks, managers for clerks, everybody for themselves.
   */
  'POST /account/sessions': {
    access: 'person',
    body: z.object({
      account_id: id,
      shop_device: z
        .string()
        .trim()
        .min(1)
        .max(60)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u)
        .nullish(),
    }),
    response: z.strictObject({ token: z.string() }),
  },
  /** The people of the organization, for a till that several of them use. */
  'GET /account/people': { access: 'person', response: z.array(account.colleagueSchema) },
  /** Shop devices of the organization, for its owners. */
  'GET /account/shop-devices': { access: 'person', response: z.array(account.shopDeviceSchema) },
  'DELETE /account/shop-devices/{id}': { access: 'person', params: z.object({ id }), response: done },
  'GET /account/sessions': { access: 'person', response: z.array(account.activeSessionSchema) },
  'DELETE /account/sessions/{id}': { access: 'person', params: z.object({ id }), response: done },

  /** A new password or address needs the current password. The address counts when the link that is mailed to it is used. */
  'PATCH /account/profile': {
    access: 'person',
    body: z.object({
      name: name.optional(),
      language: z.enum(LANGUAGES).nullable().optional(),
      password: password.optional(),
      new_password: newPassword.optional(),
      email: email.optional(),
    }),
    response: done,
  },

  'GET /account/second-factor': { access: 'person', response: account.secondFactorsSchema },
  /** Begins to add an authenticator app or a passkey, or replaces the recovery codes; the response has those of the kind. */
  'POST /account/second-factor': {
    access: 'person',
    body: z.object({ kind: z.enum(['totp', 'passkey', 'recovery_codes']), password }),
    response: z.strictObject({
      totp: z.strictObject({ secret: z.string(), address: z.string() }).nullable(),
      passkey: passkeyOptions.nullable(),
      recovery_codes: z.array(z.string()).nullable(),
    }),
  },
  /** Adds it: with a code of the app, or with the passkey that the browser created. */
  'POST /account/second-factor/confirm': {
    access: 'person',
    body: z.union([z.strictObject({ code }), z.strictObject({ token, name, passkey })]),
    response: newRecoveryCodes,
  },
  /** `totp`, or the id of a passkey. */
  'DELETE /account/second-factor/{id}': {
    access: 'person',
    params: z.object({ id: passkeyId }),
    body: z.object({ password }),
    response: done,
  },
} as const satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /account/${string}`, AccountEndpoint>

export type AccountRouteName = keyof typeof accountEndpoints

/** Finds the endpoint that serves a request; `path` without its query. */
export function findAccountEndpoint(method: string, path: string): AccountEndpoint | undefined {
  for (const [route, endpoint] of Object.entries(accountEndpoints)) {
    const [routeMethod, template = ''] = route.split(' ')
    if (routeMethod === method && matchPath(template, path)) return endpoint
  }
  return undefined
}
