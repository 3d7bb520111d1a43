import type { Context } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'

const COOKIE_NAME = 'di_session'

/** Behind TLS the cookie's name begins with `__Host-`, which makes the browser refuse any weaker copy of it. */
const prefixFor = (isSecure: boolean) => (isSecure ? 'host' : undefined)

/** The value of a `Set-Cookie` that keeps a session's token. */
export function sessionCookie(token: string, options: { isSecure: boolean; maxAgeSeconds: number }): string {
  const { isSecure, maxAgeSeconds } = options
  const prefix = prefixFor(isSecure)
  return generateCookie(COOKIE_NAME, token, {
    ...(prefix ? { prefix } : {}),
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure,
    maxAge: maxAgeSeconds,
  })
}

export const clearedSessionCookie = (isSecure: boolean) => sessionCookie('', { isSecure, maxAgeSeconds: 0 })

/** The token that came along, if it can be one at all. */
export function readSessionToken(c: Context, isSecure: boolean): string | undefined {
  const value = getCookie(c, COOKIE_NAME, prefixFor(isSecure))
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
}
