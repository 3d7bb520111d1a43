import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { buybackFromResale, resaleFromBuyback } from './dealer-margin.ts'

test('dealers never pay more than the resale price, and pay more for devices that are worth more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 1_000_000 }), (cents) => {
      const paid = buybackFromResale(Math.log(cents))
      expect(paid).toBeLessThan(Math.log(cents))
      expect(buybackFromResale(Math.log(cents + 100))).toBeGreaterThan(paid)
      expect(resaleFromBuyback(paid)).toBeCloseTo(Math.log(cents), 6)
    }),
  )
})
