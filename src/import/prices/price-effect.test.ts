import { expect, test } from 'bun:test'
import { formatPriceEffect } from './price-effect.ts'

test('a price that a list moves by more than half is shown with both numbers', () => {
  const largest = [
    { deviceId: 'ps5', name: 'PS5', percent: -72.9, before: 30_000, after: 8_136 },
    { deviceId: 'ps4', name: 'PS4', percent: 18, before: 10_000, after: 11_800 },
  ]
  expect(formatPriceEffect({ devices: 2, averagePercent: -27.4, largest })).toBe(
    'Moves prices by −27.4 % on average, most: PS5 −72.9 % ($300.00 → $81.36), PS4 +18 %.',
  )
})
