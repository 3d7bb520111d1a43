import type { HandlerResult } from '../http/context.ts'
import { type DashboardDependencies, isHttps } from './dashboard-dependencies.ts'
import { SESSION_LIFETIME_MS } from './lifetimes.ts'
import type { Person } from './person-store.ts'
import { readSessionToken, sessionCookie } from './session-cookie.ts'
import type { SessionContext } from './session-route.ts'

type Visitor = SessionContext<'anyone'>

/** A new session in place of the one that came along, if any: a token known before signing in is worth nothing after. */
export async function startSession(
  parts: DashboardDependencies,
  c: Visitor,
  person: Person,
  organizationId: string | null,
): Promise<HandlerResult> {
  await endCurrentSession(parts, c)
  const from = { address: c.get('address'), agent: c.req.header('user-agent') ?? '', organizationId }
  const token = await parts.people.openSession(person.id, from, c.get('facts').now)
  const cookie = sessionCookie(token, { isSecure: isHttps(parts), maxAgeSeconds: SESSION_LIFETIME_MS / 1000 })
  return { data: { done: true }, headers: { 'Set-Cookie': cookie } }
}

export async function endCurrentSession(parts: DashboardDependencies, c: Visitor): Promise<void> {
  const { people: accounts } = parts
  const token = readSessionToken(c, isHttps(parts))
  const session = token === undefined ? undefined : await accounts.findSession(token, c.get('facts').now)
  if (session) await accounts.endSession(session.person.id, session.id)
}
