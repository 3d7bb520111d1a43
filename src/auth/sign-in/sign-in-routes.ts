import { parseRole } from '../../contract/account-limits.ts'
import { ApiError } from '../../http/api-error.ts'
import type { HttpContext } from '../../http/context.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { isoInstant } from '../../lib/time.ts'
import { passwordResetMail } from '../../mail/mail.ts'
import { COUNTRY_MARKETS } from '../../pricing/country-market.ts'
import type { Account } from '../accounts/account-store.ts'
import { mailLanguage } from '../accounts/mail-language.ts'
import { oneTimeLinkUrl } from '../accounts/one-time-link.ts'
import { personActor } from '../actor.ts'
import { passkeyRequestOptions, verifyPasskey } from '../second-factor/passkey.ts'
import { issuerName } from '../sso/oidc-mapping.ts'
import { type AccountDependencies, isHttps } from './account-dependencies.ts'
import { type AccountRequest, type AccountRoute, accountRoute, DONE } from './account-route.ts'
import { limitAttempts } from './attempt-limit.ts'
import { authenticateWithPassword, isRightTotpCode } from './authentication-service.ts'
import type { Challenge } from './challenge-store.ts'
import { clearedSessionCookie } from './session-cookie.ts'
import { endCurrentSession, startSession } from './session-lifecycle.ts'
import type { Session } from './session-store.ts'
import { continueSignIn, passkeysUnavailableError, relyingPartyFor, signInExpiredError } from './sign-in-steps.ts'

/** Requested reset links per address. */
const RESETS_PER_MINUTE = 5
/** Passkey attempts per address; they cannot be guessed, but each costs a signature check. */
const PASSKEYS_PER_MINUTE = 30

type PasskeyResponse = { readonly id: string }

/** Signing in and out, and the sessions of a person. */
export function signInRoutes(parts: AccountDependencies): AccountRoute[] {
  const { accounts, oidc } = parts

  async function mailResetLinks(c: HttpContext, email: string, now: number): Promise<void> {
    const links = await accounts.createForgottenPasswordLinks(email, now)
    const [first] = links
    if (!first) return
    const language = mailLanguage(c, first.account.language)
    const urls = links.map(({ organization, token }) => ({ organization, url: oneTimeLinkUrl(parts.baseUrl(), token) }))
    parts.mail.send(passwordResetMail({ email, language }, urls))
  }

  async function isRightPasskey(
    c: HttpContext,
    accountId: string,
    response: PasskeyResponse,
    expected: { challenge: string; isOnlyFactor: boolean },
  ): Promise<boolean> {
    limitAttempts(parts, c, 'passkey', PASSKEYS_PER_MINUTE)
    const relyingParty = relyingPartyFor(parts, c)
    const { passkeys } = await accounts.factorsOf(accountId)
    const passkey = passkeys.find(({ id }) => id === response.id)
    if (!relyingParty || !passkey || expected.challenge === '') return false
    const counter = await verifyPasskey(relyingParty, passkey, response, expected)
    if (counter === undefined) return false
    await accounts.passkeyUsed(passkey.id, counter, c.get('facts').now)
    return true
  }

  async function requireAccount(accountId: string | null | undefined): Promise<Account> {
    const account = accountId ? await accounts.accountById(accountId) : undefined
    if (!account) throw signInExpiredError()
    return account
  }

  /** The same password opens several accounts of the address: the person chooses the organization. */
  async function askForOrganization(candidates: readonly Account[], now: number) {
    const challenge = { accountId: null, challenge: JSON.stringify(candidates.map(({ id }) => id)) }
    const token = await accounts.openChallenge('choose_account', challenge, now)
    const organizations = await Promise.all(
      candidates.map(async ({ organizationId: id }) => ({ id, name: (await parts.organizationName(id)) ?? id })),
    )
    return { data: { choose_organization: { token, organizations } } }
  }

  async function askForPasskey(c: HttpContext, now: number) {
    const relyingParty = relyingPartyFor(parts, c)
    if (!relyingParty) throw passkeysUnavailableError()
    const options = await passkeyRequestOptions(relyingParty, null)
    const challenge = { accountId: null, challenge: options.challenge }
    const token = await accounts.openChallenge('passkey_sign_in', challenge, now)
    return { data: { passkey: { token, options } } }
  }

  type NextStep = AccountRequest<'POST /account/sign-in/continue'>

  async function chooseOrganization({ c, now, body: { token } }: NextStep, organizationId: string) {
    const pending = await accounts.findChallenge('choose_account', token, now)
    const accountIds: string[] = pending ? JSON.parse(pending.challenge) : []
    const candidates = await Promise.all(accountIds.map(accounts.accountById))
    const account = candidates.find((candidate) => candidate?.organizationId === organizationId)
    if (!account || !(await accounts.closeChallenge(token))) throw signInExpiredError()
    return continueSignIn(parts, c, account)
  }

  /** A passkey instead of a password: whose it is follows from its id. */
  async function signInWithPasskey({ c, body: { token } }: NextStep, passkey: PasskeyResponse, challenge: string) {
    const accountId = await accounts.ownerOfPasskey(passkey.id)
    const isValid =
      accountId !== undefined && (await isRightPasskey(c, accountId, passkey, { challenge, isOnlyFactor: true }))
    if (!isValid) throw new ApiError('UNAUTHORIZED', 'This passkey is not registered here.', reason('passkey_unknown'))
    if (!(await accounts.closeChallenge(token))) throw signInExpiredError()
    return startSession(parts, c, await requireAccount(accountId))
  }

  /** The person is signed in on the device that showed the link, with a second factor if there is one. */
  async function signInOtherDevice({ c, now, body }: NextStep, { accountId, challenge }: Challenge) {
    const account = await requireAccount(accountId)
    const device = challenge || null
    const signedIn = { account, action: 'person.signed_in_by_link', now, device } as const
    if (!(await accounts.closeChallenge(body.token, signedIn))) throw signInExpiredError()
    return startSession(parts, c, account, undefined, device)
  }

  /** The person whom a one-time link may sign in; throws for anyone of whom the session may not make one. */
  async function requireLinkable({ account: own }: Session, accountId: string): Promise<Account> {
    if (accountId === own.id) return own
    const other = await accounts.accountById(accountId)
    // Another organization's account is NOT_FOUND, so that callers cannot probe for ids.
    if (!other || other.organizationId !== own.organizationId) throw notFound('The person')
    const mayLink =
      (own.role === 'owner' && other.role !== 'owner') || (own.role === 'manager' && other.role === 'clerk')
    if (!mayLink)
      throw new ApiError('FORBIDDEN', 'Only a person with a higher role may do this.', reason('owner_needed'))
    return other
  }

  async function checkSecondFactor({ c, now, body }: NextStep) {
    const pending = await accounts.findChallenge('second_factor', body.token, now)
    if (!pending) throw signInExpiredError()
    const account = await requireAccount(pending.accountId)
    const { challenge } = pending
    const isValid = body.code
      ? await isRightTotpCode(parts, account, body.code, now)
      : body.recovery_code
        ? await accounts.takeRecoveryCode(account, body.recovery_code, now)
        : body.passkey
          ? await isRightPasskey(c, account.id, body.passkey, { challenge, isOnlyFactor: false })
          : undefined
    if (isValid === undefined)
      throw invalid('code', undefined, 'a code, a recovery code or a passkey', reason('code_wrong'))
    if (!isValid) throw new ApiError('UNAUTHORIZED', 'The code or passkey is wrong.', reason('code_wrong'))
    if (!(await accounts.closeChallenge(body.token))) throw signInExpiredError()
    return startSession(parts, c, account)
  }

  return [
    accountRoute('GET /account/sign-in', async () => {
      const isSetupNeeded = await accounts.needsSetup()
      return {
        data: {
          setup_needed: isSetupNeeded,
          sends_mail: parts.mail.isConfigured,
          service_market: parts.serviceMarket(),
          markets: isSetupNeeded ? COUNTRY_MARKETS.map(({ code, name }) => ({ code, name })) : [],
          issuer: oidc ? issuerName(oidc.settings) : null,
        },
      }
    }),

    accountRoute('POST /account/sign-in', async ({ c, now, body }) => {
      if ('with_passkey' in body) return askForPasskey(c, now)
      const [account, ...others] = await authenticateWithPassword(parts, c, body)
      return others.length === 0 ? continueSignIn(parts, c, account) : askForOrganization([account, ...others], now)
    }),

    accountRoute('POST /account/sign-in/continue', async (request) => {
      const { organization_id: organizationId, passkey, token } = request.body
      if (organizationId !== undefined) return chooseOrganization(request, organizationId)
      const otherDevice = await accounts.findChallenge('other_device', token, request.now)
      if (otherDevice) return signInOtherDevice(request, otherDevice)
      const passkeySignIn = passkey && (await accounts.findChallenge('passkey_sign_in', token, request.now))
      if (passkeySignIn) return signInWithPasskey(request, passkey, passkeySignIn.challenge)
      return checkSecondFactor(request)
    }),

    accountRoute('POST /account/forgot-password', async ({ c, now, body: { email } }) => {
      if (!parts.mail.isConfigured) throw notFound('A mail server')
      limitAttempts(parts, c, 'forgot', RESETS_PER_MINUTE)
      // Not awaited: neither the response nor its time tells whether the address has an account.
      void mailResetLinks(c, email, now).catch(() => {})
      return { data: DONE }
    }),

    accountRoute('GET /account/session', async ({ session }) => ({ data: await parts.describeSession(session) })),

    accountRoute('DELETE /account/session', async ({ c }) => {
      const idToken = await endCurrentSession(parts, c)
      const issuerUrl = idToken === undefined ? null : await issuerSignOutUrl(parts, idToken)
      return { data: { ...DONE, issuer_url: issuerUrl }, cookies: [clearedSessionCookie(isHttps(parts, c))] }
    }),

    accountRoute('POST /account/sessions', async ({ session, now, body }) => {
      const account = await requireLinkable(session, body.account_id)
      const challenge = { accountId: account.id, challenge: body.shop_device ?? '' }
      const isOther = account.id !== session.account.id
      const madeFor = isOther ? { account, by: personActor(session.account) } : undefined
      return { data: { token: await accounts.openChallenge('other_device', challenge, now, madeFor) } }
    }),

    accountRoute('GET /account/people', async ({ session: { account } }) => {
      const people = await accounts.members(account.organizationId)
      return { data: people.map(({ id, name, email, role }) => ({ id, name, email, role })) }
    }),

    accountRoute('GET /account/shop-devices', async ({ session, now }) => {
      requireOwner(session)
      const devices = await accounts.shopDevices(session.account.organizationId, now)
      return {
        data: devices.map((device) => ({
          id: device.id,
          name: device.name ?? '',
          person: device.personName || device.personEmail,
          role: parseRole(device.personRole),
          seen_at: isoInstant(device.seenAt),
          current: device.id === session.id,
        })),
      }
    }),

    accountRoute('DELETE /account/shop-devices/{id}', async ({ session, now, params: { id } }) => {
      requireOwner(session)
      const { account } = session
      if (!(await accounts.endShopDevice(account.organizationId, id, personActor(account), now)))
        throw notFound('The shop device')
      return { data: DONE }
    }),

    accountRoute('GET /account/sessions', async ({ session: current }) => {
      const sessions = await accounts.sessions(current.account.id)
      return {
        data: sessions.map((session) => ({
          id: session.id,
          created_at: isoInstant(session.createdAt),
          seen_at: isoInstant(session.seenAt),
          address: session.address,
          agent: session.agent,
          current: session.id === current.id,
        })),
      }
    }),

    accountRoute('DELETE /account/sessions/{id}', async ({ session, params: { id } }) => {
      if (!(await accounts.endSession(session.account.id, id))) throw notFound('The session')
      return { data: DONE }
    }),
  ]
}

function requireOwner({ account }: Session): void {
  if (account.role === 'owner') return
  throw new ApiError('FORBIDDEN', 'Only an owner of the organization may do this.', reason('owner_needed'))
}

/** Null if the issuer has no page for it or does not respond: the person is then signed out here only. */
async function issuerSignOutUrl({ oidc, baseUrl }: AccountDependencies, idToken: string): Promise<string | null> {
  try {
    return (await oidc?.client.signOutUrl(idToken, `${baseUrl()}/dashboard/sign-in`)) ?? null
  } catch (error) {
    oidc?.onFailure('no sign-out at the issuer', error)
    return null
  }
}
