/**
 * Whether a change comes from our own pages. A browser says where a request comes from in `Sec-Fetch-Site` and
 * `Origin`, and a page of another site can forge neither. A request that says nothing is not from our pages.
 */
export function isSameOrigin(headers: Pick<Headers, 'get'>, ownOrigins: readonly string[]): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  const origin = headers.get('origin')
  if (origin === null) return site === 'same-origin'
  return ownOrigins.includes(origin)
}
