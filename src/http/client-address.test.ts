import { expect, test } from 'bun:test'
import { Hono } from 'hono'
import { clientAddressReader, parseTrustedProxies } from './client-address.ts'
import type { HttpEnv } from './context.ts'

/** The client address of a request from `peer` with this header. */
async function addressOf(setting: string, peer: string, forwarded?: string): Promise<string> {
  const find = clientAddressReader(parseTrustedProxies(setting) ?? 'off')
  const app = new Hono<HttpEnv>().get('/', (c) => c.text(find(c)))
  const headers: HeadersInit = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  return (await app.request('/', { headers }, { requestIP: () => ({ address: peer }) })).text()
}

for (const [why, setting, peer, forwarded, address] of [
  ['without trusted proxies the header is ignored', 'off', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['one proxy: its own entry counts', '1', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  [
    'one proxy: forged entries before its own are ignored',
    '1',
    '127.0.0.1',
    '1.2.3.4, 5.6.7.8, 198.51.100.1',
    '198.51.100.1',
  ],
  [
    'two proxies: the entry of the outer one counts',
    '2',
    '10.0.0.2',
    '1.2.3.4, 198.51.100.1, 10.0.0.1',
    '198.51.100.1',
  ],
  ['fewer entries than proxies: the outermost entry counts', '3', '10.0.0.2', '198.51.100.1', '198.51.100.1'],
  ['without the header the peer address counts', '1', '203.0.113.9', undefined, '203.0.113.9'],
  [
    'networks: the last entry outside the trusted networks counts',
    '10.0.0.0/8',
    '10.0.0.2',
    '1.2.3.4, 198.51.100.1, 10.9.9.9',
    '198.51.100.1',
  ],
  ['an untrusted peer is not believed', '10.0.0.0/8', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['several networks and single addresses can be combined', '::1, 10.0.0.0/8', '::1', '198.51.100.1', '198.51.100.1'],
  [
    'an IPv4-mapped IPv6 peer belongs to its IPv4 network',
    '127.0.0.0/8',
    '::ffff:127.0.0.1',
    '198.51.100.1',
    '198.51.100.1',
  ],
  ['an invalid entry is ignored', '1', '127.0.0.1', 'nonsense', '127.0.0.1'],
  ['a port is removed', '1', '127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['brackets are removed', '1', '127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  [
    'a header of any length is read from its end',
    '1',
    '127.0.0.1',
    `${'1.1.1.1,'.repeat(9_000)}198.51.100.1`,
    '198.51.100.1',
  ],
] as const) {
  test(why, async () => expect(await addressOf(setting, peer, forwarded)).toBe(address))
}

for (const setting of ['on', 'yes', '100', '-1', '10.0.0.0/40', '10.0.0', 'proxy.example', '10.0.0.0/8,']) {
  test(`"${setting}" is not a valid TRUST_PROXY and is rejected`, () => {
    expect(parseTrustedProxies(setting)).toBeUndefined()
  })
}

test('on a port without a proxy in front the header is never believed', async () => {
  const find = clientAddressReader(parseTrustedProxies('1') ?? 'off')
  const app = new Hono<HttpEnv>().get('/', (c) => c.text(find(c)))
  const headers = { 'X-Forwarded-For': '10.9.9.9' }
  const direct = { requestIP: () => ({ address: '192.168.1.30' }), isDirect: true }
  expect(await (await app.request('/', { headers }, direct)).text()).toBe('192.168.1.30')
})
