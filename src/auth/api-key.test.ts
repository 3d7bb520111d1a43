import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { TIERS, type Tier } from '../contract/tiers.ts'
import { generateKey, parseKeyTier } from './api-key.ts'
import { hashSecret } from './secret-hash.ts'

const tier = fc.constantFrom<Tier>(...TIERS)

describe('a key', () => {
  test('has the prefix of its tier, 32 random characters and 6 of checksum', () => {
    expect(generateKey('public')).toMatch(/^pk_pub_[0-9A-Za-z]{38}$/)
    expect(generateKey('paid')).toMatch(/^pk_paid_[0-9A-Za-z]{38}$/)
    expect(generateKey('enterprise')).toMatch(/^pk_ent_[0-9A-Za-z]{38}$/)
  })

  test('contains its tier', () => {
    fc.assert(fc.property(tier, (ofTier) => parseKeyTier(generateKey(ofTier)) === ofTier))
  })

  test('is rejected when any one character is changed', () => {
    fc.assert(
      fc.property(tier, fc.nat(37), fc.constantFrom('0', 'A', 'z', '_', 'é'), (ofTier, at, other) => {
        const key = generateKey(ofTier)
        const place = key.length - 38 + at
        fc.pre(key[place] !== other)
        return parseKeyTier(key.slice(0, place) + other + key.slice(place + 1)) === undefined
      }),
    )
  })

  test('is rejected when its prefix is changed to a higher tier', () => {
    expect(parseKeyTier(generateKey('public').replace('pk_pub_', 'pk_ent_'))).toBeUndefined()
  })

  test('is rejected when cut, lengthened, empty or of another scheme', () => {
    const key = generateKey('paid')
    for (const wrong of ['', key.slice(0, -1), `${key}0`, ` ${key}`, key.toLowerCase(), 'pk_pub_', 'sk_live_123']) {
      expect(parseKeyTier(wrong)).toBeUndefined()
    }
  })

  test('is unique, and so is its hash', () => {
    const hashes = new Set(Array.from({ length: 500 }, () => hashSecret(generateKey('public'))))
    expect(hashes.size).toBe(500)
  })
})
