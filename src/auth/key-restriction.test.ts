import { expect, test } from 'bun:test'
import { parseAllowedNetworks, restrictionViolation, toKeyRestriction } from './key-restriction.ts'

const onlyFrom = (...networks: string[]) =>
  toKeyRestriction('paid', 'enterprise', JSON.stringify(parseAllowedNetworks(networks)))

test('a key has no restriction by default', () => {
  expect(toKeyRestriction('paid', 'enterprise', null)).toBeNull()
  expect(toKeyRestriction('paid', 'paid', null)).toBeNull()
})

for (const [address, networks, isAllowed] of [
  ['203.0.113.7', ['203.0.113.7'], true],
  ['203.0.113.8', ['203.0.113.7'], false],
  ['10.200.3.4', ['192.0.2.0/24', '10.0.0.0/8'], true],
  ['11.0.0.1', ['10.0.0.0/8'], false],
  ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
  ['2001:db8:1::5', ['2001:db8::/32'], true],
  ['2001:db9::5', ['2001:db8::/32'], false],
  ['127.0.0.1', ['::/0'], false],
  ['unknown', ['0.0.0.0/0'], false],
] as const) {
  test(`a key for ${networks.join(', ')} is ${isAllowed ? 'accepted' : 'rejected'} from ${address}`, () => {
    const restriction = onlyFrom(...networks)
    if (!restriction) throw new Error('there is a restriction')
    const violation = restrictionViolation(restriction, 'paid', address)
    expect(violation).toBe(isAllowed ? undefined : `This key may not be used from the address ${address}.`)
  })
}

test("a key above its organization's tier is rejected from everywhere, with both tiers named", () => {
  const restriction = toKeyRestriction('enterprise', 'public', null)
  if (!restriction) throw new Error('there is a restriction')
  expect(restrictionViolation(restriction, 'enterprise', '127.0.0.1')).toBe(
    'This key is of the Enterprise tier and its organization may use tiers up to Public.',
  )
})

test('networks are stored in one notation, once each; an empty list allows all', () => {
  expect(parseAllowedNetworks([' 10.0.0.1 ', '10.0.0.1/32', '', '2001:DB8::/32'])).toEqual([
    '10.0.0.1/32',
    '2001:db8::/32',
  ])
  expect(parseAllowedNetworks(['', ' '])).toBeNull()
  for (const wrong of ['10.0.0.0/33', 'example.com', '10.1', '1.2.3.4-1.2.3.9']) {
    expect(() => parseAllowedNetworks([wrong])).toThrow('expected an address such as')
  }
  expect(() => parseAllowedNetworks(Array.from({ length: 51 }, (_, at) => `10.0.0.${at}`))).toThrow('at most 50')
})
