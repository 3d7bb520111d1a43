import { expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import { DAY_MS } from '../../lib/time.ts'
import { configurationOf, toDeviceInput } from '../configuration.ts'
import { priorMarkets } from '../markets/fitted-markets.ts'
import type { VariantObservation } from './device-quotes.ts'
import { splitHeldDeals } from './held-deals.ts'
import { quoteDevice } from './quote.ts'

const NOW = Date.parse('2026-06-01')
const device = sampleDevice('Test', 'Phone')
const common = quoteDevice(priorMarkets(NOW), toDeviceInput(device), [], NOW)
const good = common[0]?.resale.cents?.Good ?? 0

const sale = (factor: number, daysAgo: number, id: string, isReleased = false): VariantObservation => ({
  ...{ source: 'org', side: 'sold', market: 'us', grade: 'Good', label: 'good', lock: '', state: 'sold' },
  ...{ variantId: device.variants[0] ? configurationOf(device.variants[0]) : '', exactVariantId: null, listedAt: null },
  ...{ cents: Math.round(good * factor), observedAt: NOW - daysAgo * DAY_MS, listingId: `deal ${id} sold` },
  deal: { appraisalId: id, isReleased },
})
const heldOf = (...rows: VariantObservation[]) =>
  splitHeldDeals(common, rows, NOW)
    .held.map(({ appraisalId }) => appraisalId)
    .sort()

test('deals at twice to five times the price or at half of it are held, usual ones are not', () => {
  for (const factor of [2, 3, 4.2, 5, 0.5, 0.25]) expect(heldOf(sale(factor, 1, 'a'))).toEqual(['a'])
  for (const factor of [0.7, 0.85, 1, 1.25, 1.5]) expect(heldOf(sale(factor, 1, 'a'))).toEqual([])
})

test('five deals of one day do not confirm each other, two later ones do', () => {
  const day = ['a', 'b', 'c', 'd', 'e'].map((id) => sale(4.2, 3, id))
  expect(heldOf(...day)).toEqual(['a', 'b', 'c', 'd', 'e'])
  const [first] = day
  expect(heldOf(...(first ? [first] : []), sale(4.2, 2, 'later'))).toEqual(['a', 'later'])
  expect(heldOf(...(first ? [first] : []), sale(4.3, 2, 'later'), sale(4, 1, 'latest'))).toEqual([])
})

test('prices of lists confirm a deal, and a person releases it', () => {
  const { deal: _, ...listed } = sale(2.1, 1, '')
  expect(heldOf(sale(2, 1, 'a'), listed, { ...listed, listingId: 'other' })).toEqual([])
  expect(heldOf(sale(2, 1, 'a', true))).toEqual([])
})

test('a held deal names what was expected', () => {
  expect(splitHeldDeals(common, [sale(3, 0, 'a')], NOW).held).toEqual([
    {
      appraisalId: 'a',
      trade: 'resale',
      cents: Math.round(good * 3),
      expectedCents: expect.closeTo(good, -2),
      observedAt: NOW,
    },
  ])
})
