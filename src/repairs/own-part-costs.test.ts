import { expect, test } from 'bun:test'
import { type BookedPart, fitOwnPartCosts, withOwnCost } from './own-part-costs.ts'

const screen = (deviceId: string, factor: number, family = 'apple-iphone'): BookedPart => ({
  part: 'screen',
  family,
  deviceId,
  ln: Math.log(factor),
})
const factorOf = (booked: readonly BookedPart[], subject: Omit<BookedPart, 'ln'>) =>
  Math.exp(fitOwnPartCosts(booked)?.costOf(subject)?.ln ?? 0)

test('own costs count most for their device, less for their family, little for another family, hardly for another part', () => {
  const booked = [1.9, 2, 2, 2.1, 2.2].map((factor, at) => screen(at < 3 ? 'iphone-13' : 'iphone-12', factor))
  const device = factorOf(booked, { part: 'screen', family: 'apple-iphone', deviceId: 'iphone-13' })
  const family = factorOf(booked, { part: 'screen', family: 'apple-iphone', deviceId: 'iphone-14' })
  const other = factorOf(booked, { part: 'screen', family: 'samsung-galaxy-s', deviceId: 'galaxy-s22' })
  const battery = factorOf(booked, { part: 'battery', family: 'apple-iphone', deviceId: 'iphone-13' })
  expect(device).toBeWithin(1.85, 2.05)
  expect(family).toBeLessThan(device)
  expect(other).toBeLessThan(family)
  expect(other).toBeGreaterThan(1.3)
  expect(battery).toBeWithin(1, 1.35)
})

test('one cost, and a cost in the wrong unit, change nothing', () => {
  expect(fitOwnPartCosts([screen('iphone-13', 2)])).toBeNull()
  expect(fitOwnPartCosts([screen('iphone-13', 100), screen('iphone-13', 0.01), screen('iphone-13', 1)])).toBeNull()
})

test('the share of own data grows with their number, and the range moves and narrows with it', () => {
  const subject = { part: 'screen', family: 'apple-iphone', deviceId: 'iphone-13' } as const
  const usual = { minCents: 4_000, maxCents: 25_000 }
  const widths: number[] = []
  const shares: number[] = []
  for (const count of [2, 6, 30]) {
    const booked = Array.from({ length: count }, (_, at) => screen('iphone-13', 2 + 0.05 * ((at % 3) - 1)))
    const own = fitOwnPartCosts(booked)?.costOf(subject)
    if (!own) throw new Error('two costs are enough')
    const range = withOwnCost(usual, own)
    widths.push(range.maxCents / range.minCents)
    shares.push(own.share)
  }
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.at(-1)).toBeGreaterThan(0.95)
  expect(widths).toEqual(widths.toSorted((a, b) => b - a))
  expect(widths.at(-1)).toBeLessThan(1.6)
})
