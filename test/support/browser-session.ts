import { expect } from 'bun:test'
import type { MemberRole } from '../../src/contract/dashboard.ts'
import { peopleStore } from '../../src/people/people-store.ts'
import { OPERATOR, type TestService } from './service.ts'

export type SessionResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service sent
  readonly body: any
}

/** What a browser does for a page, without a browser: it keeps the session cookie and sends the Origin of its changes. */
export function browserSession(service: TestService) {
  let cookie = ''

  async function send(
    path: string,
    init: RequestInit & { headers?: Record<string, string> },
  ): Promise<SessionResponse> {
    const headers = { ...(cookie ? { Cookie: cookie } : {}), ...init.headers }
    const response = await fetch(`${service.url}${path}`, { ...init, headers, redirect: 'manual' })
    const set = response.headers.get('set-cookie')
    if (set) cookie = /Max-Age=0/.test(set) ? '' : (set.split(';')[0] ?? '')
    // A header that was set twice arrives as a list.
    for (const name of ['x-request-id', 'content-type', 'content-length', 'etag']) {
      expect(response.headers.get(name) ?? '').not.toContain(',')
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    }
  }

  return {
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', Origin: service.url, ...headers },
      }),
    cookie: () => cookie,
    useCookie(value: string) {
      cookie = value
    },
  }
}

export const PASSWORD = 'correct horse battery'

let people = 0

/** Somebody who has joined an organization by a link from the command line and is signed in. */
export async function member(service: TestService, organizationId: string, role: MemberRole, email?: string) {
  const address = email ?? `person-${++people}-${Date.now()}@example.test`
  const person = { email: address, role }
  const token = await peopleStore(service.app.db).addMember(organizationId, person, OPERATOR, Date.now())
  const browser = browserSession(service)
  const joined = await browser.post('/account/join', { token, name: `Person ${people}`, password: PASSWORD })
  if (joined.status !== 200) throw new Error(`could not join: ${joined.text}`)
  return { ...browser, email: address, token }
}
