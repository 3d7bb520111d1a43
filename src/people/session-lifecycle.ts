import { type DashboardDependencies, isHttps } from './dashboard-dependencies.ts'
import { issueDeviceToken } from './known-device.ts'
import { SESSION_LIFETIME_MS } from './lifetimes.ts'
import type { Person } from './person-store.ts'
import { deviceCookie, readSessionToken, sessionCookie } from './session-cookie.ts'
import { DONE, type SessionContext } from './session-route.ts'

type Visitor = SessionContext<'anyone'>

/** Replaces any existing session, against session fixation. */
export async function startSession(
  parts: DashboardDependencies,
  c: Visitor,
  person: Person,
  organizationId: string | null,
) {
  await endCurrentSession(parts, c)
  const from = { address: c.get('address'), agent: c.req.header('user-agent') ?? '', organizationId }
  const token = await parts.people.openSession(person.id, from, c.get('facts').now)
  const isSecure = isHttps(parts)
  const deviceToken = issueDeviceToken(person)
  const cookies = [
    sessionCookie(token, { isSecure, maxAgeSeconds: SESSION_LIFETIME_MS / 1000 }),
    ...(deviceToken ? [deviceCookie(deviceToken, isSecure)] : []),
  ]
  return { ...DONE, cookies }
}

export async function endCurrentSession(parts: DashboardDependencies, c: Visitor): Promise<void> {
  const { people: accounts } = parts
  const token = readSessionToken(c, isHttps(parts))
  const session = token === undefined ? undefined : await accounts.findSession(token, c.get('facts').now)
  if (session) await accounts.endSession(session.person.id, session.id)
}
