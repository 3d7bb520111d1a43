import { z } from 'zod'
import { MAX_PASSWORD_LENGTH, MEMBER_ROLES, MIN_PASSWORD_LENGTH } from './account-limits.ts'
import { LANGUAGES } from './languages.ts'
import { emailValue as email, idValue as id, nameValue as name } from './values.ts'

/** Bodies of requests of the dashboard; the management API uses some of them too. */

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
  requireSecondFactor: z.object({ required: z.boolean() }),
  requireSignOn: z.object({
    required: z.boolean(),
    /** The owner who may still sign in with password and second factor; the person who asks if absent. */
    break_glass_id: id.optional(),
  }),
  invite: z.object({
    email: email.describe('E-mail address.'),
    role: z.enum(MEMBER_ROLES).describe('Role after joining.'),
  }),
  changeMemberEmail: z.object({ id, email: email.describe('New e-mail address.') }),
  changeRole: z.object({ id, role: z.enum(MEMBER_ROLES).describe('New role.') }),
  /** The credentials of a manager, for an offer above the limit of a clerk; `request` as for `POST /api/appraisals`. */
  approveAppraisal: z.object({
    email,
    password,
    code: z.string().max(20).optional(),
    request: z.record(z.string(), z.unknown()),
  }),
  changeSettings: z.object({
    name: z.string().optional().describe('Name of the organization.'),
    market: z
      .string()
      .nullable()
      .optional()
      .describe('Country whose prices it gets, such as `de`; null for the market of the service.'),
    currency: z.string().optional().describe('Currency of its policy and of its dashboard.'),
  }),
} as const
