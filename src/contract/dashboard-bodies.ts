import { z } from 'zod'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './account-limits.ts'
import { LANGUAGES } from './languages.ts'
import { emailValue as email, idValue as id, nameValue as name } from './values.ts'

/** Bodies of requests under /account. */

const password = z.string().max(MAX_PASSWORD_LENGTH)
const newPassword = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH)

const token = z.string().regex(/^[A-Za-z0-9_-]{20,100}$/, 'the token of a link')

const passkeyId = z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/, 'the id of a passkey')

/** A passkey response of the browser; the WebAuthn library validates the rest. */
const passkeyResponse = z.looseObject({ id: passkeyId })

export const dashboardBodies = {
  setup: z.object({
    code: z.string().max(60),
    organization: name,
    market: z.string().max(40).optional(),
    email,
    name: name.optional(),
    password: newPassword,
  }),
  signIn: z.object({ email, password }),
  chooseAccount: z.object({ token, organization_id: id }),
  forgotPassword: z.object({ email }),
  link: z.object({ token }),
  join: z.object({ token, name: name.optional(), password: newPassword.optional() }),
  password: z.object({ current: password, next: newPassword }),
  nothing: z.object({}),
  byId: z.object({ id }),
  /** A code of an authenticator app, a recovery code, or the signature of a passkey. */
  secondFactor: z.object({
    token,
    code: z.string().max(20).optional(),
    recovery_code: z.string().max(60).optional(),
    passkey: passkeyResponse.optional(),
  }),
  passkey: z.object({ token, response: passkeyResponse }),
  /** The password, asked again before a change of the ways to sign in. */
  confirmed: z.object({ password }),
  totpCode: z.object({ code: z.string().max(20) }),
  newPasskey: z.object({ token, name, response: passkeyResponse }),
  removePasskey: z.object({ id: passkeyId, password }),
  language: z.object({ language: z.enum(LANGUAGES).nullable() }),
  person: z.object({ name }),
  changeEmail: z.object({ email, password }),
} as const
