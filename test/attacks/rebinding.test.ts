import { afterAll, expect, test } from 'bun:test'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOidcClient } from '../../src/auth/sso/oidc-service.ts'
import { callWebhook } from '../../src/events/webhook-call-service.ts'
import { fetchFeed } from '../../src/import/feeds/feed-fetch-service.ts'
import { parseFeed } from '../../src/import/feeds/feed-settings.ts'
import { isPriceFeed, priceClient } from '../../src/import/feeds/price-client-service.ts'

/** An attacker's name server: a public address at first, an address of this machine for every later lookup. */
let answers: { address: string; family: number }[] = []
let asked = 0

let received = 0
const inside = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => {
    received++
    return new Response('internal')
  },
})
afterAll(() => {
  inside.stop(true)
})

const PRIVATE = [
  ...[
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '168.63.129.16',
  ],
  ...[
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
  ],
]
const call = (signal = AbortSignal.timeout(1_500)) =>
  callWebhook(
    `http://rebind.example:${inside.port}/`,
    '{}',
    {},
    {
      allowPrivateAddresses: false,
      userAgent: 'test',
      signal,
      resolve: async () => answers[asked++] ?? { address: '127.0.0.1', family: 4 },
    },
  )

test('a webhook never reaches an address inside, whatever the name resolves to', async () => {
  for (const address of PRIVATE) {
    asked = 0
    answers = [{ address, family: address.includes(':') ? 6 : 4 }]
    expect({ address, ...(await call()) }).toMatchObject({
      address,
      isAccepted: false,
      responseText: 'The host name does not resolve to a public address.',
    })
  }
  expect(received).toBe(0)
})

test('a name that changes to an address inside after the check is not asked again', async () => {
  for (let attempt = 0; attempt < 3; attempt++) {
    asked = 0
    answers = [
      { address: '198.41.0.4', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    // The call ends before it connects: no test sends anything to a public address.
    const result = await call(AbortSignal.abort())
    expect(result.isAccepted).toBe(false)
    expect(asked).toBe(1)
  }
  expect(received).toBe(0)
})

const INSIDE = 'The host name of prices leads to a private network.'

async function fetchList(url: string, signal: AbortSignal, allowPrivate = false) {
  const input = { name: 'prices', format: 'observations', url, retries: 0 }
  const { feed } = parseFeed(input, { formats: [{ format: 'observations' }], now: Date.now() })
  if (!feed) throw new Error('not a feed')
  const resolve = async (name: string) =>
    /^[\d.]+$/.test(name) ? { address: name, family: 4 } : (answers[asked++] ?? { address: '127.0.0.1', family: 4 })
  return fetchFeed(feed, {
    validators: null,
    targetPath: join(await mkdtemp(join(tmpdir(), 'rebinding-')), 'list'),
    addressRules: { allowPrivate, resolve },
    signal,
    notify: () => {},
  }).catch((error: Error) => error.message)
}
const rebinding = (port: number | undefined) => `http://rebind.example:${port}/`

test('a feed by a public name never reaches an address inside, whatever the name resolves to', async () => {
  const before = received
  for (const address of PRIVATE) {
    asked = 0
    answers = [{ address, family: address.includes(':') ? 6 : 4 }]
    expect(await fetchList(rebinding(inside.port), AbortSignal.timeout(1_500))).toStartWith(INSIDE)
  }
  expect(received).toBe(before)
})

test('the name of a feed is resolved once per request: what it resolves to after the check does not count', async () => {
  const before = received
  asked = 0
  answers = [
    { address: '198.41.0.4', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  // The request ends before it connects: no test sends anything to a public address.
  expect(await fetchList(rebinding(inside.port), AbortSignal.abort())).toBe('Stopped; nothing was written.')
  expect([asked, received]).toEqual([1, before])
})

test('a private address that was entered as one is used', async () => {
  for (const url of [`http://127.0.0.1:${inside.port}/`, `http://erp.lan:${inside.port}/`]) {
    asked = 0
    answers = [{ address: '127.0.0.1', family: 4 }]
    expect(await fetchList(url, AbortSignal.timeout(5_000))).toMatchObject({ etag: null })
  }
  expect(await fetchList(rebinding(inside.port), AbortSignal.timeout(5_000), true)).toMatchObject({ etag: null })
})

test('neither the requests of a price service nor those for its token reach an address inside', async () => {
  const before = received
  const url = `http://rebind.example:${inside.port}`
  const api = { fields: { id: 'id', title: 'title', price: 'price' } }
  const oauth = { token_url: `${url}/token`, client_id: 'shop', client_secret: 'secret' }
  for (const definition of [api, { ...api, oauth }])
    for (const address of PRIVATE) {
      const input = { name: 'prices', format: 'observations', url: `${url}/?q={query}`, retries: 0, api: definition }
      const { feed } = parseFeed(input, { formats: [{ format: 'observations' }], now: Date.now() })
      if (!feed || !isPriceFeed(feed)) throw new Error('not a price service')
      const client = priceClient(feed, {
        addressRules: {
          allowPrivate: false,
          resolve: async () => ({ address, family: address.includes(':') ? 6 : 4 }),
        },
        takeRequest: async () => true,
        now: () => 0,
        signal: AbortSignal.timeout(5_000),
        notify: () => {},
      })
      const asked = client.fetchPage({ deviceId: 'x', text: 'x', category: '' }, { page: 0, cursor: '' })
      await expect(asked).rejects.toThrow('does not resolve to a public address')
    }
  expect(received).toBe(before)
})

const issuerClient = (issuer: string, addresses: string[]) => {
  let lookups = 0
  return createOidcClient(
    { issuer, clientId: 'shop', clientSecret: 'secret', domains: new Map(), roles: null },
    { resolve: async () => ({ address: addresses[lookups++] ?? '127.0.0.1', family: 4 }) },
  )
}

test('an issuer on the internet whose name leads inside later is not called there', async () => {
  const before = received
  const client = issuerClient(`http://localhost:${inside.port}`, ['198.41.0.4'])
  await expect(client.begin('http://localhost/account/oidc/callback')).rejects.toThrow()
  expect(received).toBe(before)
})

test('an issuer that was inside from the beginning is called', async () => {
  const before = received
  const client = issuerClient(`http://localhost:${inside.port}`, [])
  // It is called; what it answers is no discovery document.
  await expect(client.begin('http://localhost/account/oidc/callback')).rejects.toThrow()
  expect(received).toBe(before + 1)
})
