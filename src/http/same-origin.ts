/**
 * Whether a request comes from our pages. Browsers set `Sec-Fetch-Site` and `Origin`, and other sites cannot forge them. A
 * request without both is not from our pages.
 */
export function isSameOrigin(headers: Pick<Headers, 'get'>, ownOrigins: readonly string[]): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  const origin = headers.get('origin')
  if (origin === null) return site === 'same-origin'
  return ownOrigins.includes(origin)
}
