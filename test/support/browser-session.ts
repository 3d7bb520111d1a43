import { expect } from 'bun:test'
import { accountsStore } from '../../src/auth/accounts/accounts-store.ts'
import { commandPrincipal } from '../../src/auth/principals.ts'
import { findAccountEndpoint } from '../../src/contract/account-endpoints.ts'
import type { MemberRole } from '../../src/contract/account-limits.ts'
import { expectConforms } from './conformance.ts'
import { OPERATOR, type TestService } from './service.ts'

export type SessionResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service sent
  readonly body: any
}

/** HTTP client that behaves like a browser: keeps the session cookie and sends the Origin header with changes. */
export function browserSession(service: TestService) {
  let cookie = ''
  /** Cookie by which the service recognises a browser after signing out. */
  let deviceCookie = ''

  async function send(
    path: string,
    init: RequestInit & { headers?: Record<string, string> },
  ): Promise<SessionResponse> {
    const cookies = [cookie, deviceCookie].filter(Boolean).join('; ')
    const headers = {
      ...(cookies ? { Cookie: cookies } : {}),
      'Sec-Fetch-Site': 'same-origin',
      'X-Requested-With': 'dashboard',
      ...init.headers,
    }
    const response = await fetch(`${service.url}${path}`, { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const value = /Max-Age=0/.test(set) ? '' : (set.split(';')[0] ?? '')
      if (/^[^=]*di_device=/.test(set)) deviceCookie = value
      else cookie = value
    }
    // A header that was set twice arrives as a list.
    for (const name of ['x-request-id', 'content-type', 'content-length', 'etag']) {
      expect(response.headers.get(name) ?? '').not.toContain(',')
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const body = isJson && text ? JSON.parse(text) : undefined
    if (response.status === 200 && path.startsWith('/account/')) expectDashboardShape(init.method ?? 'GET', path, body)
    if (path.startsWith('/api/')) {
      expectConforms(init.method ?? 'GET', path, response.status, response.headers, isJson ? body : text)
    }
    return { status: response.status, headers: response.headers, text, body }
  }

  return {
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    /** Any method, with a JSON body if there is one. */
    send: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          Origin: service.url,
          ...headers,
        },
      }),
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

/** The data of a successful response has the shape that the dashboard contract declares. */
function expectDashboardShape(method: string, path: string, body: { data?: unknown } | undefined): void {
  const endpoint = findAccountEndpoint(method, path.replace(/\?.*$/, ''))
  const shape = endpoint?.response
  const problems = !endpoint
    ? ['not in the contract']
    : shape === null
      ? body === undefined
        ? []
        : ['expected a file']
      : (shape?.safeParse(body?.data).error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [])
  expect({ request: `${method} ${path}`, problems }).toEqual({ request: `${method} ${path}`, problems: [] })
}

export const PASSWORD = 'correct horse battery'

let people = 0

/** The token of an invitation from the command line. */
export async function invitationToken(
  service: TestService,
  organizationId: string,
  invited: { readonly email: string; readonly role: MemberRole },
): Promise<string> {
  const people = accountsStore(service.app.db)
  return (await people.invite(commandPrincipal(OPERATOR, organizationId), organizationId, invited, Date.now())).token
}

/** A signed-in person who joined an organization with a link from the command line. */
export async function member(service: TestService, organizationId: string, role: MemberRole, email?: string) {
  const address = email ?? `person-${++people}-${Date.now()}@example.test`
  const person = { email: address, role }
  const token = await invitationToken(service, organizationId, person)
  const browser = browserSession(service)
  const joined = await browser.post('/account/link/use', { token, name: `Person ${people}`, password: PASSWORD })
  if (joined.status !== 200) throw new Error(`could not join: ${joined.text}`)
  return { ...browser, email: address, token }
}
