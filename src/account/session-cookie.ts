/** The cookie that holds a session's token. Behind TLS its name makes the browser refuse any weaker copy of it. */
const PLAIN = 'di_session'
const SECURE = '__Host-di_session'

export type CookieOptions = { readonly secure: boolean; readonly maxAgeSeconds: number }

export function sessionCookie(token: string, { secure, maxAgeSeconds }: CookieOptions): string {
  const parts = [
    `${secure ? SECURE : PLAIN}=${token}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${maxAgeSeconds}`,
  ]
  if (secure) parts.push('Secure')
  return parts.join('; ')
}

export const endedCookie = (secure: boolean) => sessionCookie('', { secure, maxAgeSeconds: 0 })

export function sessionToken(cookieHeader: string | null, secure: boolean): string | undefined {
  const name = secure ? SECURE : PLAIN
  for (const pair of (cookieHeader ?? '').split(';')) {
    const cut = pair.indexOf('=')
    if (cut < 0 || pair.slice(0, cut).trim() !== name) continue
    const value = pair.slice(cut + 1).trim()
    if (/^[A-Za-z0-9_-]{43}$/.test(value)) return value
  }
  return undefined
}
