import { afterAll, beforeAll, expect, test } from 'bun:test'
import { member } from '../support/browser-session.ts'
import { onSqlite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const ORIGIN = 'https://shop.example'

onSqlite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  let paths: string[]
  beforeAll(async () => {
    service = await startService(await store.open(), { CORS_ORIGINS: ORIGIN })
    owner = await member(service, service.organizationId, 'owner')
    const patterns = service.app.router.routes.map(({ path }) => path.replace(/:\w+(\{[^}]*\})?/g, 'x'))
    paths = [...new Set(patterns.flatMap((path) => [path.replace(/\*$/, 'x'), path.replace(/\/\*$/, '')]))].filter(
      (path) => path.startsWith('/'),
    )
    paths.push('/nowhere', '/account/nowhere', '/api/nowhere', '/dashboard/app-old.js', '//api/imei')
    const page = await (await fetch(`${service.url}/dashboard`)).text()
    paths.push(...[...page.matchAll(/(?:src|href)="(\/dashboard\/[^"]+)"/g)].map(([, path = '']) => path))
  })
  afterAll(() => service.stop())

  type Kind = { readonly method: string; readonly headers: Record<string, string>; readonly body?: string }

  /** The ways a route responds: with a key, with a session, without either, invalid, cached, with a wrong method, preflight. */
  function kinds(): Kind[] {
    const key = { Authorization: `Bearer ${service.keys.enterprise}` }
    const session = { Cookie: owner.cookie(), Origin: service.url, 'X-Requested-With': 'dashboard' }
    const json = { 'Content-Type': 'application/json' }
    return [
      ...[{}, key, session].flatMap((headers) => [
        { method: 'GET', headers },
        { method: 'POST', headers: { ...headers, ...json }, body: '{' },
        { method: 'POST', headers: { ...headers, ...json }, body: '{}' },
      ]),
      { method: 'GET', headers: { ...key, 'If-None-Match': '*', Origin: ORIGIN } },
      { method: 'HEAD', headers: key },
      { method: 'PUT', headers: key },
      { method: 'POST', headers: { Origin: 'https://evil.example', ...json }, body: '{}' },
      { method: 'OPTIONS', headers: { Origin: ORIGIN, 'Access-Control-Request-Method': 'GET' } },
    ]
  }

  test('no response is sniffed or framed, and no error and nothing of an account is stored by a cache', async () => {
    const seen = new Map<number, number>()
    const mistakes: string[] = []
    for (const path of paths)
      for (const { method, headers, body } of kinds()) {
        // Ends the session that the others need.
        if (path === '/account/sign-out' && method === 'POST' && 'Cookie' in headers) continue
        const response = await fetch(service.url + path, {
          method,
          headers,
          redirect: 'manual',
          ...(body ? { body } : {}),
        })
        await response.arrayBuffer()
        seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
        const get = (name: string) => response.headers.get(name)
        const report = (problem: string) => mistakes.push(`${method} ${path} ${response.status}: ${problem}`)
        if (get('X-Content-Type-Options') !== 'nosniff') report('may be sniffed')
        if (get('X-Frame-Options') !== 'DENY') report(`X-Frame-Options is ${get('X-Frame-Options')}`)
        const policy = get('Content-Security-Policy')
        if (policy !== null && !policy.includes("frame-ancestors 'none'")) report('its policy allows framing')
        if (get('Content-Type')?.startsWith('text/html') && policy === null) report('is a page without a policy')
        const mustNotBeStored = response.status >= 400 || path.startsWith('/account/')
        if (mustNotBeStored && method !== 'OPTIONS' && get('Cache-Control') !== 'no-store') report('may be stored')
      }
    expect([...new Set(mistakes)]).toEqual([])
    expect([200, 204, 302, 304, 400, 401, 403, 404, 405].filter((status) => !seen.has(status))).toEqual([])
    expect(paths.length).toBeGreaterThan(100)
  }, 240_000)

  test('exports have the same rules', async () => {
    for (const path of ['/api/imei?format=csv', '/api/appraisals?format=csv', '/api/manage/audit?format=csv']) {
      const response = await fetch(service.url + path, {
        headers: { Authorization: `Bearer ${service.keys.enterprise}` },
      })
      await response.arrayBuffer()
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(response.headers.get('X-Frame-Options')).toBe('DENY')
    }
  })
})
