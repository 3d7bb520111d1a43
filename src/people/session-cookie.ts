import type { Context } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'

const COOKIE_NAME = 'di_session'
const DEVICE_COOKIE_NAME = 'di_device'
/** The longest lifetime that browsers allow. */
const DEVICE_MAX_AGE_S = 400 * 24 * 60 * 60

/** With TLS the name starts with `__Host-`, which makes browsers reject weaker cookies of that name. */
const prefixFor = (isSecure: boolean) => (isSecure ? 'host' : undefined)

/** `Set-Cookie` value of a session. */
export function sessionCookie(token: string, options: { isSecure: boolean; maxAgeSeconds: number }): string {
  return cookie(COOKIE_NAME, token, options)
}

/** `Set-Cookie` value of a known device. */
export const deviceCookie = (token: string, isSecure: boolean) =>
  cookie(DEVICE_COOKIE_NAME, token, { isSecure, maxAgeSeconds: DEVICE_MAX_AGE_S })

export const readDeviceToken = (c: Context, isSecure: boolean) => getCookie(c, DEVICE_COOKIE_NAME, prefixFor(isSecure))

function cookie(name: string, value: string, options: { isSecure: boolean; maxAgeSeconds: number }): string {
  const prefix = prefixFor(options.isSecure)
  return generateCookie(name, value, {
    ...(prefix ? { prefix } : {}),
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: options.isSecure,
    maxAge: options.maxAgeSeconds,
  })
}

export const clearedSessionCookie = (isSecure: boolean) => sessionCookie('', { isSecure, maxAgeSeconds: 0 })

/** The token of the request, if it is well-formed. */
export function readSessionToken(c: Context, isSecure: boolean): string | undefined {
  const value = getCookie(c, COOKIE_NAME, prefixFor(isSecure))
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
}
