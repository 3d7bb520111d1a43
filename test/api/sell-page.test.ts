import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { QuoteWire } from '../../src/contract/quotes.ts'
import { member } from '../support/browser-session.ts'
import { startOnSqlite, type TestService } from '../support/service.ts'

const FORM = 'application/x-www-form-urlencoded'
const YES = { q_power: 'yes', q_screen: 'yes', q_body: 'yes', q_works: 'yes', q_account: 'yes' }
const ANSWERS = { d: 'apple-iphone-13', storage: '128GB', condition: 'Good', lang: 'en', ...YES }

let service: TestService
let owner: Awaited<ReturnType<typeof member>>
let addresses = 0
/** Each test comes from an address of its own, as if behind the proxy of the shop. */
const newAddress = () => `198.51.100.${++addresses}`

beforeAll(async () => {
  service = await startOnSqlite({ TRUST_PROXY: '1' }, 'small', { quoteMinFillMs: 0 })
  owner = await member(service, service.organizationId, 'owner')
  await change({ enabled: true, slug: 'corner-shop', max_price: 10_000_000 })
})
afterAll(() => service.stop())

const change = async (tradeIn: object) =>
  expect((await owner.send('PATCH', '/api/manage/settings', { trade_in: tradeIn })).status).toBe(200)
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/sell/corner-shop${path}`, {
    headers: { 'X-Forwarded-For': newAddress(), 'Accept-Language': 'en', ...headers },
    redirect: 'manual',
  })
const post = (
  path: string,
  form: Record<string, string>,
  address = newAddress(),
  headers: Record<string, string> = {},
) =>
  fetch(`${service.url}/sell/corner-shop${path}`, {
    method: 'POST',
    headers: { 'Content-Type': FORM, 'X-Forwarded-For': address, ...headers },
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
const tokenIn = (html: string) => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
const price = async (form: Record<string, string> = {}, address?: string) => {
  const response = await post('/price', { ...ANSWERS, ...form }, address)
  return { status: response.status, html: await response.text() }
}
const keep = (token: string, contact: string, form: Record<string, string> = {}) =>
  post('/keep', { token, name: 'Ada', contact, consent: 'yes', lang: 'en', ...form })
const newest = async (): Promise<QuoteWire> => (await service.ask('/api/quotes?limit=1', { tier: 'paid' })).body.data[0]

describe('the page', () => {
  test('is served only while it is on, to whoever knows its address', async () => {
    expect((await get('')).status).toBe(200)
    await change({ enabled: false })
    expect((await get('')).status).toBe(404)
    await change({ enabled: true })
    expect((await fetch(`${service.url}/sell/no-such-shop`)).status).toBe(404)
  })

  test('loads nothing from other hosts, sets no cookie, and may be framed by listed websites only', async () => {
    const closed = await get('')
    expect(closed.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    expect(closed.headers.get('X-Frame-Options')).toBe('DENY')
    await change({ domains: ['https://www.shop.example'] })
    const response = await get('')
    expect(response.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'self' https://www.shop.example")
    expect(response.headers.get('X-Frame-Options')).toBeNull()
    expect(response.headers.get('Set-Cookie')).toBeNull()
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(await response.text()).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    await change({ domains: [] })
  })

  test('of its first view is small with everything that it loads', async () => {
    const parts = await Promise.all(['', '/style.css', '/page.js'].map(async (path) => (await get(path)).text()))
    expect(parts.join('').length).toBeLessThan(60_000)
  })

  test('finds a device with a typing error and in another script', async () => {
    for (const query of ['iphone 13', 'iphnoe 13', 'айфон 13'])
      expect({ query, html: await (await get(`?q=${encodeURIComponent(query)}`)).text() }).toMatchObject({
        html: expect.stringContaining('d=apple-iphone-13&amp;'),
      })
  })

  test('speaks the language of the visitor, or the chosen one', async () => {
    expect(await (await get('', { 'Accept-Language': 'de-AT' })).text()).toContain('Gerät verkaufen')
    expect(await (await get('?lang=ko', { 'Accept-Language': 'de' })).text()).toContain('기기 판매하기')
  })

  test('escapes what visitors and owners write', async () => {
    const attack = '"><script>alert(1)</script>'
    expect(await (await get(`?q=${encodeURIComponent(attack)}`)).text()).not.toContain('<script>alert')
    await change({ terms: attack })
    expect((await price()).html).not.toContain('<script>alert')
    await change({ terms: '' })
  })
})

describe('a price', () => {
  test('is shown with what it assumes, and never with what it is calculated from', async () => {
    const { status, html } = await price()
    expect(status).toBe(200)
    expect(html).toContain('No faults')
    expect(html).toMatch(/class="price">[^<]*\d/)
    for (const secret of ['margin', 'resale', 'profit', 'max_offer', '95']) expect(html).not.toContain(secret)
  })

  test('follows the answers: a fault costs, a locked device is not bought', async () => {
    const amount = (html: string) => Number(/class="price">[^<\d]*([\d.,]+)/.exec(html)?.[1]?.replaceAll(',', ''))
    const intact = amount((await price()).html)
    const cracked = await price({ q_body: 'no', fault: 'cracked_back' })
    expect(cracked.html).toContain('Cracked back')
    expect(amount(cracked.html)).toBeLessThan(intact)
    expect((await price({ q_account: 'no' })).html).toContain('Remove your account')
  })

  test('needs every answer, and which fault a "no" means', async () => {
    const incomplete: Record<string, string>[] = [
      { q_power: '' },
      { condition: '' },
      { storage: '' },
      { q_works: 'no' },
    ]
    for (const form of incomplete) expect((await price(form)).status).toBe(400)
  })

  test('takes nothing but answers: no organization, policy, market or identifier', async () => {
    const plain = await price()
    const other = await service.newOrganization('Other')
    const named = await price({
      organization_id: other.organizationId,
      policy: '{"target_margin_percent":0}',
      market: 'de',
      identifier: '356938035643809',
      share_percent: '100',
    })
    const shown = (html: string) => /class="price">[^<]*/.exec(html)?.[0]
    expect(shown(named.html)).toBe(shown(plain.html) ?? '')
  })
})

describe('an offer', () => {
  test('that is kept has a page with its number, is listed and can be cancelled and deleted', async () => {
    const token = tokenIn((await price()).html)
    expect((await newest())?.state).not.toBe('priced')
    const kept = await keep(token, 'kept@example.com')
    expect(kept.status).toBe(303)
    const location = kept.headers.get('Location') ?? ''
    expect(location).not.toContain('kept')
    const quote = await newest()
    expect(quote).toMatchObject({ state: 'open', channel: 'page', device_id: 'apple-iphone-13' })
    const path = location.replace('/sell/corner-shop', '')
    expect(await (await get(path)).text()).toContain(quote.quote_id)
    const own = path.replace(/\?.*$/, '')
    expect((await post(own, { action: 'cancel' })).status).toBe(303)
    expect((await newest()).state).toBe('cancelled')
    expect((await post(own, { action: 'delete' })).status).toBe(303)
    expect((await service.ask(`/api/quotes/${quote.quote_id}`, { tier: 'paid' })).body.data.contact).toBeNull()
    expect(service.logged()).not.toContain('kept@example.com')
    expect(service.logged()).not.toContain(token)
  })

  test('sent twice is kept once', async () => {
    const token = tokenIn((await price()).html)
    const both = await Promise.all([keep(token, '+370 600 11111'), keep(token, '+370 600 11111')])
    expect(both.map(({ status }) => status)).toEqual([303, 303])
    const { data } = (await service.ask('/api/quotes?state=open&limit=2', { tier: 'paid' })).body
    expect(data[0].quote_id).not.toBe(data[1]?.quote_id)
  })

  test('of one contact is open three times at most', async () => {
    for (let at = 0; at < 3; at++)
      expect((await keep(tokenIn((await price()).html), 'three@example.com')).status).toBe(303)
    expect((await keep(tokenIn((await price()).html), 'THREE@example.com')).status).toBe(409)
  })

  test('is not kept without consent, with a filled trap, without a contact, or with a made-up code', async () => {
    const token = tokenIn((await price()).html)
    expect((await keep(token, 'a@example.com', { consent: '' })).status).toBe(400)
    expect((await keep(token, 'a@example.com', { website: 'spam' })).status).toBe(400)
    expect((await keep(token, 'not a contact')).status).toBe(400)
    expect((await keep('AbCdEfGhIjKlMnOpQrStUv', 'a@example.com')).status).toBe(410)
  })

  test('of a shop is not found at the address of another one', async () => {
    const kept = await keep(tokenIn((await price()).html), 'foreign@example.com')
    const { organizationId } = await service.newOrganization('Rival')
    const rival = await member(service, organizationId, 'owner')
    await rival.send('PATCH', '/api/manage/settings', { trade_in: { enabled: true, slug: 'rival-shop' } })
    const location = (kept.headers.get('Location') ?? '').replace('corner-shop', 'rival-shop')
    expect((await fetch(`${service.url}${location}`)).status).toBe(404)
  })
})

test('a form from another website is rejected', async () => {
  const response = await post('/price', ANSWERS, newAddress(), { 'Sec-Fetch-Site': 'cross-site' })
  expect(response.status).toBe(429)
})

describe('limits', () => {
  test('ten prices a minute per address; a /64 is one address', async () => {
    for (const address of ['203.0.113.7', null]) {
      const statuses: number[] = []
      for (let at = 0; at < 12; at++) statuses.push((await price({}, address ?? `2001:db8:1:2::${at + 1}`)).status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(10)
      expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    }
  })

  test('the prices of a day for all visitors together', async () => {
    await change({ daily_prices: 1 })
    const { status, html } = await price()
    expect({ status, asks: html.includes('Ask us') }).toEqual({ status: 429, asks: true })
    await change({ daily_prices: 100_000 })
  })

  test('a form that is filled in at once is asked again', async () => {
    await using strict = await startOnSqlite({}, 'small', { quoteMinFillMs: 3_600_000 })
    const strictOwner = await member(strict, strict.organizationId, 'owner')
    await strictOwner.send('PATCH', '/api/manage/settings', { trade_in: { enabled: true, slug: 'corner-shop' } })
    const send = (path: string, form: Record<string, string>) =>
      fetch(`${strict.url}/sell/corner-shop${path}`, {
        method: 'POST',
        body: new URLSearchParams(form),
        redirect: 'manual',
      })
    const token = tokenIn(await (await send('/price', ANSWERS)).text())
    expect((await send('/keep', { token, name: 'Ada', contact: 'a@example.com', consent: 'yes' })).status).toBe(400)
  })
})
