/**
 * A marketplace on this machine that behaves as the Browse API of eBay is documented: application tokens by client credentials,
 * search by words with a filter of conditions, pages by limit and offset, and errors in its form.
 */

export type MarketItem = {
  readonly itemId: string
  readonly title: string
  /** As the service states it: text of whole units. */
  readonly price: string | number
  readonly currency?: string
  readonly conditionId?: string
  readonly createdOn?: string
}

/** Replaces the response to one search. */
export type Fault = (request: Request) => Response | Promise<Response>

export const CLIENT = { id: 'shop-prices-PRD', secret: 'a-client-secret-of-the-test' }
const SCOPE = 'https://api.ebay.com/oauth/api_scope'

export function startMarketplace(initialItems: readonly MarketItem[] = []) {
  let items = initialItems
  let total: number | null = null
  let issued = 0
  const tokens = new Set<string>()
  const faults: (Fault | null)[] = []
  const searches: URL[] = []
  let lifetimeS = 7200
  let onSearch = (_count: number) => {}

  function token(request: Request, form: URLSearchParams): Response {
    const credentials = Buffer.from(request.headers.get('authorization')?.slice('Basic '.length) ?? '', 'base64')
    if (credentials.toString() !== `${CLIENT.id}:${CLIENT.secret}`) {
      return Response.json(
        { error: 'invalid_client', error_description: 'client authentication failed' },
        { status: 401 },
      )
    }
    if (form.get('grant_type') !== 'client_credentials' || form.get('scope') !== SCOPE) {
      return Response.json({ error: 'invalid_scope' }, { status: 400 })
    }
    const value = `token-${++issued}`
    tokens.add(value)
    return Response.json({ access_token: value, expires_in: lifetimeS, token_type: 'Application Access Token' })
  }

  const problem = (status: number, message: string, headers: Record<string, string> = {}) =>
    Response.json({ errors: [{ errorId: 1001, domain: 'OAuth', category: 'REQUEST', message }] }, { status, headers })

  function search(request: Request, url: URL): Response {
    const bearer = request.headers.get('authorization')?.slice('Bearer '.length) ?? ''
    if (!tokens.has(bearer)) return problem(401, 'Invalid access token')
    const marketplace = request.headers.get('x-ebay-c-marketplace-id') ?? ''
    const [limit, offset] = [Number(url.searchParams.get('limit')), Number(url.searchParams.get('offset'))]
    if (limit < 1 || limit > 200 || offset % limit !== 0) return problem(400, 'The limit or offset is invalid')
    const words = (url.searchParams.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return problem(400, 'The call must have a query')
    const conditions = /conditionIds:\{([\d|]*)\}/.exec(url.searchParams.get('filter') ?? '')?.[1]?.split('|') ?? []
    const found = items.filter(
      ({ title, conditionId = '3000' }) =>
        words.every((word) => title.toLowerCase().includes(word)) && conditions.includes(conditionId),
    )
    const page = found.slice(offset, offset + limit).map((item) => ({
      itemId: item.itemId,
      title: item.title,
      price: { value: item.price, currency: item.currency ?? 'USD' },
      conditionId: item.conditionId ?? '3000',
      itemCreationDate: `${item.createdOn ?? '2026-01-02'}T10:00:00.000Z`,
      seller: { username: 'a-seller-of-the-test', feedbackScore: 12 },
      listingMarketplaceId: marketplace,
    }))
    const count = total ?? found.length
    // An empty result has no list.
    return Response.json({
      href: url.href,
      total: count,
      limit,
      offset,
      ...(page.length > 0 && { itemSummaries: page }),
    })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const url = new URL(request.url)
      if (url.pathname === '/identity/v1/oauth2/token' && request.method === 'POST') {
        return token(request, new URLSearchParams(await request.text()))
      }
      if (url.pathname !== '/buy/browse/v1/item_summary/search') return problem(404, 'Not found')
      searches.push(url)
      onSearch(searches.length)
      const fault = faults.shift()
      return fault ? fault(request) : search(request, url)
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    /** Addresses of all searches so far. */
    searches,
    queries: () => searches.map((url) => url.searchParams.get('q')),
    tokensIssued: () => issued,
    /** The next searches are answered so; null as usual. */
    failNext: (...next: (Fault | null)[]) => void faults.push(...next),
    offer(next: readonly MarketItem[], results: number | null = null) {
      items = next
      total = results
    },
    revokeTokens: () => tokens.clear(),
    expireTokensAfter(seconds: number) {
      lifetimeS = seconds
    },
    onSearch(react: (count: number) => void) {
      onSearch = react
    },
    stop: () => server.stop(true),
  }
}

export const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  () =>
    new Response('{"errors":[{"message":"fault"}]}', { status: code, headers })

/** Twenty phones of one model at prices around `cents`. */
export function listingsOf(title: string, count: number, cents: number, prefix = 'v1|1'): MarketItem[] {
  return Array.from({ length: count }, (_, at) => ({
    itemId: `${prefix}${String(at).padStart(5, '0')}|0`,
    title,
    price: ((cents * (0.95 + (at % 11) * 0.01)) / 100).toFixed(2),
    conditionId: '3000',
  }))
}
