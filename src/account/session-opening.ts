import type { Answer } from '../http/context.ts'
import { SESSION_LIFE_MS } from './lifetime.ts'
import { type AccountParts, isSecure } from './parts.ts'
import type { Person } from './person-store.ts'
import type { AccountContext } from './route.ts'
import { sessionCookie, sessionToken } from './session-cookie.ts'

type Visitor = AccountContext<'anyone'>

/** A new session in place of the one that came along, if any: a token known before signing in is worth nothing after. */
export async function beginSession(
  parts: AccountParts,
  c: Visitor,
  person: Person,
  organizationId: string | null,
): Promise<Answer> {
  await endCurrentSession(parts, c)
  const from = { address: c.get('address'), agent: c.req.header('user-agent') ?? '', organizationId }
  const token = await parts.accounts.openSession(person.id, from, c.get('facts').now)
  const cookie = sessionCookie(token, { isSecure: isSecure(parts), maxAgeSeconds: SESSION_LIFE_MS / 1000 })
  return { data: { done: true }, headers: { 'Set-Cookie': cookie } }
}

export async function endCurrentSession(parts: AccountParts, c: Visitor): Promise<void> {
  const { accounts } = parts
  const token = sessionToken(c, isSecure(parts))
  const session = token === undefined ? undefined : await accounts.findSession(token, c.get('facts').now)
  if (session) await accounts.endSession(session.person.id, session.id)
}
