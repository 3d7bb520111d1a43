import { expect, test } from 'bun:test'
import { binomialRange, createDealReport, type ReportedDeal } from './deal-report.ts'

const PERIOD = { from: '2026-01-01', to: '2026-03-31' }
const plain = (amount: number) => amount
function report(deals: readonly ReportedDeal[]) {
  const { add, finish } = createDealReport(PERIOD, plain)
  deals.forEach(add)
  return finish()
}

const deal = (
  at: number,
  more: { bought: number; sold?: number; soldOn?: string; isSample?: boolean },
): ReportedDeal => ({
  appraisalId: `apr_${at}`,
  deviceId: 'apple-iphone-13',
  outcome: {
    status: more.sold === undefined ? 'bought' : 'sold',
    bought: { price: more.bought, currency: 'USD', date: '2026-01-10' },
    sold:
      more.sold === undefined
        ? null
        : { price: more.sold, currency: 'USD', date: more.soldOn ?? '2026-02-09', channel: null },
    declined: null,
    note: null,
    purchaseId: null,
    createdBy: { kind: 'key', id: 'key_1', name: 'Shop' },
    updatedAt: 0,
  },
  boughtBy: null,
  soldBy: null,
  stockCosts: 0,
  forecast: {
    currency: 'USD',
    isSample: more.isSample ?? false,
    offer: 10_000,
    sale: 20_000,
    saleRange: { low: 18_000, high: 22_000 },
    costs: 2_000,
    downside: 4_000,
  },
})

test('purchases count in their month, sales in theirs, and the months add up to the total to the cent', () => {
  const deals = [
    deal(1, { bought: 10_001, sold: 19_999 }),
    deal(2, { bought: 9_999 }),
    deal(3, { bought: 12_345, sold: 23_456, soldOn: '2026-03-01' }),
    deal(4, { bought: 1, sold: 3, soldOn: '2026-04-01' }),
  ]
  const { totals, months } = report(deals)
  expect(totals.bought).toEqual({ count: 4, amount: 32_346 })
  expect(totals.sold).toEqual({
    count: 2,
    amount: 43_455,
    cost: 22_346,
    profit: 21_109,
    margin_percent: 48.6,
    median_days_held: 40,
  })
  expect(months.map(({ month, bought, sold }) => [month, bought.amount, sold.amount, sold.profit])).toEqual([
    ['2026-01', 32_346, 0, 0],
    ['2026-02', 0, 19_999, 9_998],
    ['2026-03', 0, 23_456, 11_111],
  ])
})

test('few sales are not judged, and simulated forecasts are left out', () => {
  const { forecast } = report([
    deal(1, { bought: 10_000, sold: 20_000 }),
    deal(2, { bought: 10_000, sold: 1, isSample: true }),
  ])
  expect(forecast.range).toMatchObject({ sales: 1, inside: 1, verdict: 'too_few' })
  expect(forecast.losses).toMatchObject({ sales: 1, lost: 0, verdict: 'too_few' })
  expect(forecast.excluded).toEqual({ sample: 1, no_forecast: 0 })
  expect(forecast.points).toHaveLength(1)
})

test('an interval that covers too few sales is reported as too narrow, and losses beyond chance are named', () => {
  const sales = Array.from({ length: 40 }, (_, at) => deal(at, { bought: 10_000, sold: at < 20 ? 20_000 : 11_000 }))
  const { forecast } = report(sales)
  expect(forecast.range).toMatchObject({ sales: 40, inside: 20, below: 20, share: 0.5, verdict: 'too_narrow' })
  expect(forecast.losses).toMatchObject({ sales: 40, lost: 20, below_cost: 0, verdict: 'more_losses' })
  expect(forecast.losses.expected).toBeLessThan(1)
  const held = Array.from({ length: 40 }, (_, at) => deal(at, { bought: 10_000, sold: at < 32 ? 20_000 : 23_000 }))
  expect(report(held).forecast.range.verdict).toBe('as_forecast')
})

test('the newest sales are listed, also of very many', () => {
  const days = ['2026-01-20', '2026-02-20', '2026-03-20', '2026-03-21']
  const deals = Array.from({ length: 6_000 }, (_, at) => deal(at, { bought: 1, sold: 2, soldOn: days[at % 4] ?? '' }))
  const { points } = report(deals).forecast
  expect(points).toHaveLength(500)
  expect(points.map((point) => point.appraisal_id)).toEqual(Array.from({ length: 500 }, (_, at) => `apr_${4 * at + 3}`))
})

test('the range that chance explains is around 80 %, for few sales and for very many', () => {
  expect(binomialRange(20, 0.8)).toEqual([12, 19])
  expect(binomialRange(0, 0.8)).toEqual([0, 0])
  const [low, high] = binomialRange(100_000, 0.8)
  expect([low, high].map((each) => Math.round(each / 1_000))).toEqual([80, 80])
})
