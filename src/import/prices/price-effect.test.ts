import { expect, test } from 'bun:test'
import { formatAlsoMoved, formatPriceEffect, isLargeEffect } from './price-effect.ts'

test('a price that a list moves by more than half is shown with both numbers', () => {
  const largest = [
    { deviceId: 'ps5', name: 'PS5', percent: -72.9, before: 30_000, after: 8_136 },
    { deviceId: 'ps4', name: 'PS4', percent: 18, before: 10_000, after: 11_800 },
  ]
  expect(formatPriceEffect({ devices: 2, averagePercent: -27.4, largest, departures: [], others: NONE })).toBe(
    'Moves prices by −27.4 % on average, most: PS5 −72.9 % ($300.00 → $81.36), PS4 +18 %.',
  )
})

test('a price that departs from the first price by more than half is shown with both numbers, and asks for a confirmation', () => {
  const effect = {
    devices: 1,
    averagePercent: -2,
    largest: [{ deviceId: 'ps5', name: 'PS5', percent: -2, before: 8_300, after: 8_136 }],
    departures: [{ deviceId: 'ps5', name: 'PS5', firstPrice: 30_000, after: 8_136 }],
    others: NONE,
  }
  expect(formatPriceEffect(effect)).toBe(
    'Moves prices by −2 % on average, most: PS5 −2 %. More than half away from the first price: PS5 $81.36 (first price $300.00).',
  )
  expect(isLargeEffect(effect)).toBe(true)
})

test('other devices that follow own prices are named with how far they move', () => {
  const largest = [
    { deviceId: 'a', name: 'iPhone 12', percent: 24.1 },
    { deviceId: 'b', name: 'Galaxy S21', percent: 9.8 },
  ]
  expect(formatAlsoMoved({ devices: 4_090, averagePercent: 3.4, largest })).toBe(
    'Also moves 4,090 other devices by +3.4 % on average, the most: iPhone 12 +24.1 %, Galaxy S21 +9.8 %.',
  )
  expect(formatAlsoMoved(NONE)).toBe('')
})

const NONE = { devices: 0, averagePercent: 0, largest: [] }
