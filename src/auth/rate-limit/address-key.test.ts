import { expect, test } from 'bun:test'
import { addressLimitKey } from './address-key.ts'

for (const [why, address, key] of [
  ['an IPv4 address counts as itself', '203.0.113.7', '203.0.113.7'],
  ['an IPv6 address counts by its /64', '2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
  ['its neighbour in the same /64 shares the count', '2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['zeros left out are put back', '2001:db8::1', '2001:db8:0:0::/64'],
  ['leading zeros mean nothing', '2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['loopback is an address like any other', '::1', '0:0:0:0::/64'],
  ['IPv4 inside IPv6 is the IPv4 address', '::ffff:203.0.113.7', '203.0.113.7'],
  ['also when written in hexadecimal', '::ffff:cb00:7107', '203.0.113.7'],
  ['a zone is dropped', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['what is no address counts as the text it is', '1:2:3', '1:2:3'],
  ['so does one with two gaps', '1::2::3', '1::2::3'],
] as const) {
  test(why, () => expect(addressLimitKey(address)).toBe(key))
}
