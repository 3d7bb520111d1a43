import type { Context } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'

const COOKIE_NAME = 'di_session'
const DEVICE_COOKIE_NAME = 'di_device'
/** The longest lifetime that browsers allow. */
const DEVICE_MAX_AGE_S = 400 * 24 * 60 * 60

/** With TLS the name starts with `__Host-`, which makes browsers reject weaker cookies of that name. */
export const cookiePrefix = (isSecure: boolean) => (isSecure ? 'host' : undefined)

type CookieOptions = { readonly isSecure: boolean; readonly maxAgeSeconds: number }

/** `Set-Cookie` value of a session. */
export const sessionCookie = (token: string, options: CookieOptions) => formatCookie(COOKIE_NAME, token, options)

/** `Set-Cookie` value of a known device. */
export const deviceCookie = (token: string, isSecure: boolean) =>
  formatCookie(DEVICE_COOKIE_NAME, token, { isSecure, maxAgeSeconds: DEVICE_MAX_AGE_S })

export const readDeviceToken = (c: Context, isSecure: boolean) =>
  getCookie(c, DEVICE_COOKIE_NAME, cookiePrefix(isSecure))

export function formatCookie(name: string, value: string, { isSecure, maxAgeSeconds }: CookieOptions): string {
  const prefix = cookiePrefix(isSecure)
  return generateCookie(name, value, {
    ...(prefix ? { prefix } : {}),
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure,
    maxAge: maxAgeSeconds,
  })
}

export const clearedSessionCookie = (isSecure: boolean) => sessionCookie('', { isSecure, maxAgeSeconds: 0 })

/** The token of the request, if it is well-formed. */
export function readSessionToken(c: Context, isSecure: boolean): string | undefined {
  const value = getCookie(c, COOKIE_NAME, cookiePrefix(isSecure))
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
}
