import { expect, test } from 'bun:test'
import { endedCookie, sessionCookie, sessionToken } from './session-cookie.ts'
import { mintToken } from './token.ts'

const token = mintToken()

test('a script cannot read it and another site cannot send it along with a change', () => {
  const cookie = sessionCookie(token, { secure: false, maxAgeSeconds: 60 })
  expect(cookie).toContain('HttpOnly')
  expect(cookie).toContain('SameSite=Lax')
})

test('behind TLS it is bound to TLS and to this host', () => {
  expect(sessionCookie(token, { secure: true, maxAgeSeconds: 60 })).toMatch(/^__Host-.*; Path=\/;.*Secure$/)
})

test('is read back among other cookies, and nothing else is', () => {
  expect(sessionToken(`a=b; di_session=${token}; c=d`, false)).toBe(token)
  expect(sessionToken(`di_session=${token}`, true)).toBeUndefined()
  for (const odd of [null, '', 'di_session', 'di_session=', 'di_session=x y', `xdi_session=${token}`]) {
    expect(sessionToken(odd, false)).toBeUndefined()
  }
})

test('ending it takes it away', () => {
  expect(endedCookie(false)).toContain('Max-Age=0')
})
