import { expect, test } from 'bun:test'
import { Hono } from 'hono'
import { generateToken } from '../accounts/token.ts'
import { clearedSessionCookie, readSessionToken, sessionCookie } from './session-cookie.ts'

const token = generateToken()

test('a script cannot read it, and another site cannot send it with a change', () => {
  const cookie = sessionCookie(token, { isSecure: false, maxAgeSeconds: 60 })
  expect(cookie).toContain('HttpOnly')
  expect(cookie).toContain('SameSite=Lax')
})

test('behind TLS it is Secure and bound to this host', () => {
  expect(sessionCookie(token, { isSecure: true, maxAgeSeconds: 60 })).toMatch(/^__Host-.*; Path=\/;.*Secure/)
})

test('is found among other cookies', async () => {
  const read = async (cookie: string | null, isSecure: boolean) => {
    const app = new Hono().get('/', (c) => c.json(readSessionToken(c, isSecure) ?? null))
    const response = await app.request('/', cookie === null ? {} : { headers: { Cookie: cookie } })
    return response.json()
  }
  expect(await read(`a=b; di_session=${token}; c=d`, false)).toBe(token)
  expect(await read(`__Host-di_session=${token}`, true)).toBe(token)
  expect(await read(`di_session=${token}`, true)).toBeNull()
  for (const odd of [null, '', 'di_session', 'di_session=', 'di_session=x y', `xdi_session=${token}`]) {
    expect(await read(odd, false)).toBeNull()
  }
})

test('signing out deletes it', () => {
  expect(clearedSessionCookie(false)).toContain('Max-Age=0')
})
