import { expect, test } from 'bun:test'
import type { DeviceInput, Observation } from '../../src/pricing/model/observation.ts'
import { fitBoosting } from './gradient-boosting.ts'

const DEVICES: readonly DeviceInput[] = [1, 2].map((number) => ({
  deviceId: `phone-${number}`,
  make: 'Acme',
  category: 'Smartphone',
  releasedAt: Date.UTC(2023, number, 1),
  variants: [64, 128].map((storageGb) => ({ variantId: `${number}-${storageGb}`, storageGb, listCents: 0 })),
}))

function row(variantId: string, grade: 'Good' | 'Poor', cents: number): Observation {
  return {
    source: 'shop',
    side: 'sold',
    variantId,
    grade,
    label: grade,
    market: 'us',
    lock: '',
    cents,
    observedAt: Date.UTC(2024, 5, 1),
    listingId: variantId,
    state: 'sold',
    listedAt: null,
  }
}

test('prices of variants and grades are learned', () => {
  const prices = { '1-64': 20_000, '1-128': 24_000, '2-64': 30_000, '2-128': 36_000 }
  const rows = Object.entries(prices).flatMap(([variantId, cents]) =>
    Array.from({ length: 10 }, () => [row(variantId, 'Good', cents), row(variantId, 'Poor', cents / 2)]).flat(),
  )
  const predict = fitBoosting(DEVICES, rows)
  for (const [variantId, cents] of Object.entries(prices)) {
    expect(predict(row(variantId, 'Good', 0)) / cents).toBeCloseTo(1, 1)
    expect(predict(row(variantId, 'Poor', 0)) / cents).toBeCloseTo(0.5, 1)
  }
})
