import { z } from 'zod'
import type { MemberRole } from './account-limits.ts'
import { dashboardBodies as body } from './dashboard-bodies.ts'
import * as people from './people.ts'

/**
 * Who may send the request: anyone, a person with a session, a member of the current organization with at least this role, or
 * an owner of the organization that runs the service.
 */
export type RequiredRole = 'anyone' | 'person' | MemberRole | 'operator'

export type DashboardEndpoint = {
  readonly role: RequiredRole
  /** The JSON body of a POST; undefined for a GET and for bytes. */
  readonly body?: z.ZodType
  /** Parameters in the URL, for handlers that take them as one object. */
  readonly query?: z.ZodType
  /** `data` of the response; null if the response is a file, which has no envelope. */
  readonly response: z.ZodType | null
}

const done = z.strictObject({ done: z.literal(true) })
const passkeyOptions = z.strictObject({ token: z.string(), options: z.custom<object>() })
const newRecoveryCodes = z.strictObject({ recovery_codes: z.array(z.string()).nullable() })
const signedIn = z.union([done, z.strictObject({ second_factor: people.secondFactorChallengeSchema })])
const passwordAccepted = z.union([
  ...signedIn.options,
  z.strictObject({ choose_organization: people.organizationChoiceSchema }),
])

/** Every request the dashboard can send, by method and path. Routes are registered from this list. */
export const dashboardEndpoints = {
  'GET /account/setup': { role: 'anyone', response: people.setupStatusSchema },
  'POST /account/setup': { role: 'anyone', body: body.setup, response: done },

  'GET /account/session': { role: 'person', response: people.sessionSchema },
  'GET /account/sign-in/options': { role: 'anyone', response: people.signInOptionsSchema },
  // Navigations of the browser, which end with a redirect.
  'GET /account/oidc/start': { role: 'anyone', response: null },
  'GET /account/oidc/callback': { role: 'anyone', response: null },
  'POST /account/sign-in': { role: 'anyone', body: body.signIn, response: passwordAccepted },
  'POST /account/sign-in/choose': { role: 'anyone', body: body.chooseAccount, response: signedIn },
  'POST /account/sign-in/second': { role: 'anyone', body: body.secondFactor, response: done },
  'POST /account/sign-in/passkey-options': { role: 'anyone', body: body.nothing, response: passkeyOptions },
  'POST /account/sign-in/passkey': { role: 'anyone', body: body.passkey, response: done },
  'POST /account/sign-out': {
    role: 'anyone',
    body: body.nothing,
    // Where the browser goes next to sign out at the issuer; null if the session did not begin there.
    response: z.strictObject({ done: z.literal(true), issuer_url: z.string().nullable() }),
  },
  'POST /account/forgot-password': { role: 'anyone', body: body.forgotPassword, response: done },
  'POST /account/link': { role: 'anyone', body: body.link, response: people.linkSchema },
  'POST /account/join': { role: 'anyone', body: body.join, response: signedIn },
  'POST /account/password': { role: 'person', body: body.password, response: done },
  'GET /account/sessions': { role: 'person', response: z.array(people.activeSessionSchema) },
  'POST /account/sessions/end': { role: 'person', body: body.byId, response: done },
  'POST /account/email': { role: 'person', body: body.changeEmail, response: done },
  'POST /account/email/confirm': { role: 'anyone', body: body.link, response: done },

  'POST /account/person': { role: 'person', body: body.person, response: done },
  'POST /account/language': { role: 'person', body: body.language, response: done },
  'GET /account/second-factor': { role: 'person', response: people.secondFactorsSchema },
  'POST /account/totp': {
    role: 'person',
    body: body.confirmed,
    response: z.strictObject({ secret: z.string(), address: z.string() }),
  },
  'POST /account/totp/confirm': { role: 'person', body: body.totpCode, response: newRecoveryCodes },
  'POST /account/totp/remove': { role: 'person', body: body.confirmed, response: done },
  'POST /account/passkeys/options': { role: 'person', body: body.confirmed, response: passkeyOptions },
  'POST /account/passkeys': { role: 'person', body: body.newPasskey, response: newRecoveryCodes },
  'POST /account/passkeys/remove': { role: 'person', body: body.removePasskey, response: done },
  'POST /account/recovery-codes': { role: 'person', body: body.confirmed, response: newRecoveryCodes },
} as const satisfies Record<`${'GET' | 'POST'} /account/${string}`, DashboardEndpoint>

export type DashboardEndpointName = keyof typeof dashboardEndpoints

/** Finds the endpoint that serves a request; `path` without its query. */
export function findDashboardEndpoint(method: string, path: string): DashboardEndpoint | undefined {
  const endpoints: Readonly<Record<string, DashboardEndpoint>> = dashboardEndpoints
  return endpoints[`${method} ${path}`]
}
