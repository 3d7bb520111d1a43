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
  ['without trust the header says nothing', 'off', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['one proxy: the entry it wrote counts', '1', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['what a caller wrote before it does not', '1', '127.0.0.1', '1.2.3.4, 5.6.7.8, 198.51.100.1', '198.51.100.1'],
  [
    'two proxies: the entry of the outer one counts',
    '2',
    '10.0.0.2',
    '1.2.3.4, 198.51.100.1, 10.0.0.1',
    '198.51.100.1',
  ],
  ['fewer entries than proxies: the outermost there is', '3', '10.0.0.2', '198.51.100.1', '198.51.100.1'],
  ['no header at all: whoever holds the connection', '1', '203.0.113.9', undefined, '203.0.113.9'],
  [
    'networks: the first that is none of ours',
    '10.0.0.0/8',
    '10.0.0.2',
    '1.2.3.4, 198.51.100.1, 10.9.9.9',
    '198.51.100.1',
  ],
  ['a stranger is not believed', '10.0.0.0/8', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['one of several networks, and a single address', '::1, 10.0.0.0/8', '::1', '198.51.100.1', '198.51.100.1'],
  ['IPv4 in IPv6 clothes is in its IPv4 network', '127.0.0.0/8', '::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['an entry that is no address was written by nobody we trust', '1', '127.0.0.1', 'nonsense', '127.0.0.1'],
  ['a port does not hide the address', '1', '127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['nor do brackets', '1', '127.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  [
    'a header of any length is looked at from its end',
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
