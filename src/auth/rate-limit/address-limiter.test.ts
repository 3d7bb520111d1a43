import { expect, test } from 'bun:test'
import { addressLimitKey } from './address-limiter.ts'

for (const [why, address, key] of [
  ['an IPv4 address counts as itself', '203.0.113.7', '203.0.113.7'],
  ['an IPv6 address counts by its /64', '2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
  ['addresses in the same /64 share the count', '2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['an abbreviated IPv6 address is expanded', '2001:db8::1', '2001:db8:0:0::/64'],
  ['leading zeros are dropped', '2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['loopback counts by its /64 too', '::1', '0:0:0:0::/64'],
  ['an IPv4-mapped IPv6 address counts as the IPv4 address', '::ffff:203.0.113.7', '203.0.113.7'],
  ['an IPv4-mapped address in hexadecimal does too', '::ffff:cb00:7107', '203.0.113.7'],
  ['a zone is dropped', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['an invalid address counts as its text', '1:2:3', '1:2:3'],
  ['an address with two gaps counts as its text', '1::2::3', '1::2::3'],
] as const) {
  test(why, () => expect(addressLimitKey(address)).toBe(key))
}
