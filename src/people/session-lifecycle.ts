import { ApiError } from '../http/api-error.ts'
import { formatMinute } from '../lib/time.ts'
import { newSignInMail } from '../mail/mail.ts'
import { type DashboardDependencies, isHttps } from './dashboard-dependencies.ts'
import { findKnownDevice, issueDeviceToken } from './known-device.ts'
import { SESSION_LIFETIME_MS } from './lifetimes.ts'
import { mailLanguage } from './mail-language.ts'
import type { Person } from './person-store.ts'
import { deviceCookie, readDeviceToken, readSessionToken, sessionCookie } from './session-cookie.ts'
import { DONE, type SessionContext } from './session-route.ts'

type Visitor = SessionContext<'anyone'>

/** Replaces any existing session, against session fixation. */
export async function startSession(
  parts: DashboardDependencies,
  c: Visitor,
  person: Person,
  organizationId: string | null,
  /** ID token of the issuer; absent if the person signed in here. */
  idToken?: string,
) {
  if (idToken === undefined) await requirePasswordAllowed(parts, person)
  await endCurrentSession(parts, c)
  reportNewBrowser(parts, c, person)
  const from = {
    address: c.get('address'),
    agent: c.req.header('user-agent') ?? '',
    organizationId,
    idToken: idToken && parts.encryption.encrypt(idToken, person.id),
  }
  const token = await parts.people.openSession(person.id, from, c.get('facts').now)
  const isSecure = isHttps(parts)
  const deviceToken = issueDeviceToken(person)
  const cookies = [
    sessionCookie(token, { isSecure, maxAgeSeconds: SESSION_LIFETIME_MS / 1000 }),
    ...(deviceToken ? [deviceCookie(deviceToken, isSecure)] : []),
  ]
  return { ...DONE, cookies }
}

/** The exception of such an organization is an owner whose second factor was checked before. */
async function requirePasswordAllowed({ people, oidc }: DashboardDependencies, person: Person): Promise<void> {
  // Without an issuer there would be no way in.
  if (!oidc) return
  const [organization] = await people.organizationsRequiringSignOn(person.id)
  if (organization === undefined) return
  throw new ApiError('FORBIDDEN', `${organization} requires sign-in with ${oidc.settings.name}. Use that button.`)
}

/** Mails the person about a sign-in with a browser that was not used before. */
function reportNewBrowser(parts: DashboardDependencies, c: Visitor, person: Person): void {
  if (!c.req.path.startsWith('/account/sign-in') || findKnownDevice(readDeviceToken(c, isHttps(parts)), person)) return
  const accountUrl = `${parts.baseUrl()}/dashboard/account`
  const agent = (c.req.header('user-agent') ?? '').slice(0, 200)
  const time = `${formatMinute(c.get('facts').now)} UTC`
  parts.mail.send(
    newSignInMail(
      { email: person.email, language: mailLanguage(c, person.language) },
      { address: c.get('address'), agent, time, accountUrl },
    ),
  )
}

/** Returns the ID token of the ended session if it began at the issuer. */
export async function endCurrentSession(parts: DashboardDependencies, c: Visitor): Promise<string | undefined> {
  const { people } = parts
  const token = readSessionToken(c, isHttps(parts))
  const session = token === undefined ? undefined : await people.findSession(token, c.get('facts').now)
  const ended = session && (await people.endSession(session.person.id, session.id))
  if (!session || !ended?.idToken) return undefined
  try {
    return parts.encryption.decrypt(ended.idToken, session.person.id)
  } catch {
    // SECRET_KEY has changed: the person is signed out here, but not at the issuer.
    return undefined
  }
}
