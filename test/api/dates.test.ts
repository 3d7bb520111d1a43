import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addDays, dayOf } from '../../src/lib/time.ts'
import { startOnSqlite, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startOnSqlite({ SAMPLE_DATA: 'off' })
})
afterAll(() => service.stop())

const IMPOSSIBLE_DAYS = ['0001-01-01', '1969-12-31', '2101-01-01', '9999-12-31', '10000-01-01', '2026-02-30', 'today']

test.each(IMPOSSIBLE_DAYS)('%s is rejected wherever a day is sent', async (day) => {
  const appraisal = await service.ask('/api/appraisals', {
    tier: 'paid',
    json: { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' },
  })
  const { appraisal_id: id } = appraisal.body.data
  for (const [path, request] of [
    [`/api/reports/deals?from=${day}&to=${day}`, { tier: 'paid' }],
    [`/api/reports/deals?to=${day}`, { tier: 'paid' }],
    [`/api/usage?from=${day}`, { tier: 'paid' }],
    [`/api/usage?to=${day}`, { tier: 'paid' }],
    [`/api/appraisals?day=${day}`, { tier: 'paid' }],
    [`/api/appraisals/${id}/outcome`, { tier: 'paid', json: { status: 'bought', price: 20_000, date: day } }],
    [
      '/api/watches',
      { tier: 'enterprise', json: { variant_id: 'apple-iphone-13-128gb-midnight', threshold_percent: 5, until: day } },
    ],
  ] as const) {
    const { status, body } = await service.ask(path, request)
    expect({ path, status, code: body.error?.code }).toEqual({ path, status: 400, code: 'VALIDATION_ERROR' })
  }
})

test('a report covers at most 36 months', async () => {
  const report = (from: string, to: string) => service.ask(`/api/reports/deals?from=${from}&to=${to}`, { tier: 'paid' })
  expect((await report('2023-04-01', '2026-03-31')).body.data.months).toHaveLength(36)
  const { status, body } = await report('2023-03-31', '2026-03-31')
  expect(status).toBe(400)
  expect(body.error.message).toBe(
    'from was "2023-03-31"; expected 2023-04-01 or later: a report covers at most 36 months.',
  )
  expect((await report('2100-12-31', '2100-12-31')).status).toBe(200)
  expect((await report('1970-01-01', '1970-01-01')).status).toBe(200)
  expect((await report(addDays(dayOf(Date.now()), -30), dayOf(Date.now()))).status).toBe(200)
})
