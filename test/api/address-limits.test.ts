import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startOnSqlite, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startOnSqlite({ SAMPLE_DATA: 'off', TRUST_PROXY: '1', RATE_LIMIT_ADDRESS: '20' })
})
afterAll(() => service.stop())

/** Attempts of one customer, each from another address of its IPv6 /64. */
async function attemptsUntilLimited(request: (headers: Record<string, string>) => Promise<Response>, network: string) {
  for (let attempt = 1; attempt <= 400; attempt++) {
    const response = await request({ 'X-Forwarded-For': `${network}::${attempt.toString(16)}` })
    if (response.status === 429) return attempt
  }
  return null
}

const send = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init)

for (const [name, limit, request] of [
  [
    'sign-in',
    301,
    (headers: Record<string, string>) =>
      send('/account/sign-in', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json', Origin: service.url },
        body: JSON.stringify({
          email: `${headers['X-Forwarded-For']?.replaceAll(':', '-')}@example.test`,
          password: 'not the password',
        }),
      }),
  ],
  ['the verification page', 31, (headers: Record<string, string>) => send('/verify/unknown', { headers })],
  ['the API', 21, (headers: Record<string, string>) => send('/api/devices', { headers })],
] as const) {
  test(`${name} counts an IPv6 /64 as one address`, async () => {
    expect(await attemptsUntilLimited(request, '2001:db8:1:2')).toBe(limit)
    // Another network is another address.
    expect((await request({ 'X-Forwarded-For': '2001:db8:1:3::1' })).status).not.toBe(429)
  })
}
