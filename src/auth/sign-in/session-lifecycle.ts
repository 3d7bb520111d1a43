import { ApiError } from '../../http/api-error.ts'
import type { HttpContext } from '../../http/context.ts'
import { reason } from '../../lib/reasons.ts'
import { formatMinute } from '../../lib/time.ts'
import { newSignInMail } from '../../mail/mail.ts'
import type { Account } from '../accounts/account-store.ts'
import { SESSION_LIFETIME_MS } from '../accounts/lifetimes.ts'
import { mailLanguage } from '../accounts/mail-language.ts'
import { issuerName } from '../sso/oidc-mapping.ts'
import { type AccountDependencies, isHttps } from './account-dependencies.ts'
import { DONE } from './account-route.ts'
import { findKnownDevice, issueDeviceToken } from './known-device.ts'
import { deviceCookie, readDeviceToken, readSessionToken, sessionCookie } from './session-cookie.ts'

type Visitor = HttpContext

/** Replaces any existing session, against session fixation. */
export async function startSession(
  parts: AccountDependencies,
  c: Visitor,
  account: Account,
  /** ID token of the issuer; absent if the person signed in here. */
  idToken?: string,
  /** Name of the shop device; without it that of the session that ends: another person at the same till. */
  shopDevice?: string | null,
) {
  if (idToken === undefined) await requirePasswordAllowed(parts, account)
  const earlierToken = readSessionToken(c, isHttps(parts, c))
  const device = earlierToken === undefined ? undefined : await parts.accounts.findShopDevice(earlierToken)
  await endCurrentSession(parts, c)
  const isSameShop = device?.organizationId === account.organizationId
  reportNewBrowser(parts, c, account)
  const from = {
    address: parts.addressOf(c),
    agent: c.req.header('user-agent') ?? '',
    idToken: idToken && parts.encryption.encrypt(idToken, account.id),
    shopDevice: shopDevice ?? (isSameShop ? device?.name : null),
  }
  const token = await parts.accounts.openSession(account.id, from, c.get('facts').now)
  const isSecure = isHttps(parts, c)
  const deviceToken = issueDeviceToken(account)
  const cookies = [
    sessionCookie(token, { isSecure, maxAgeSeconds: SESSION_LIFETIME_MS / 1000 }),
    ...(deviceToken ? [deviceCookie(deviceToken, isSecure)] : []),
  ]
  return { data: DONE, cookies }
}

/** The exception of such an organization is an owner whose second factor was checked before. */
async function requirePasswordAllowed(parts: AccountDependencies, account: Account): Promise<void> {
  const { accounts, oidc } = parts
  // Without an issuer there would be no way in.
  if (!oidc) return
  const rule = await accounts.signOnRule(account.organizationId)
  if (rule === null || rule.breakGlassId === account.id) return
  const organization = await parts.organizationName(account.organizationId)
  throw new ApiError(
    'FORBIDDEN',
    `${organization} requires sign-in with ${issuerName(oidc.settings)}. Use that button.`,
    reason('issuer_required', { issuer: issuerName(oidc.settings) }),
  )
}

/** Mails the person about a sign-in with a browser that was not used before. */
function reportNewBrowser(parts: AccountDependencies, c: Visitor, account: Account): void {
  if (!c.req.path.startsWith('/account/sign-in') || findKnownDevice(readDeviceToken(c, isHttps(parts, c)), account))
    return
  const accountUrl = `${parts.baseUrl()}/dashboard/account`
  const agent = (c.req.header('user-agent') ?? '').slice(0, 200)
  const time = `${formatMinute(c.get('facts').now)} UTC`
  parts.mail.send(
    newSignInMail(
      { email: account.email, language: mailLanguage(c, account.language) },
      { address: parts.addressOf(c), agent, time, accountUrl },
    ),
  )
}

async function currentSession(parts: AccountDependencies, c: Visitor) {
  const token = readSessionToken(c, isHttps(parts, c))
  return token === undefined ? undefined : parts.accounts.findSession(token, c.get('facts').now)
}

/** Returns the ID token of the ended session if it began at the issuer. */
export async function endCurrentSession(parts: AccountDependencies, c: Visitor): Promise<string | undefined> {
  const { accounts } = parts
  const session = await currentSession(parts, c)
  const ended = session && (await accounts.endSession(session.account.id, session.id))
  if (!session || !ended?.idToken) return undefined
  try {
    return parts.encryption.decrypt(ended.idToken, session.account.id)
  } catch {
    // SECRET_KEY has changed: the person is signed out here, but not at the issuer.
    return undefined
  }
}
