import { expect, test } from 'bun:test'
import { groupSeries } from './usage-series.ts'

test('series of a usage chart have distinct colours, and endpoints keep theirs', () => {
  const names = ['/api/match', '/api/appraisals', '/api/appraisals/batch', '/api/variants', '/api/devices', 'a', 'b']
  for (const count of [3, 6, 7]) {
    const rows = names.slice(0, count).map((name, at) => ({ day: '2026-01-01', requests: 100 - at, name }))
    const series = groupSeries(rows, ['2026-01-01'], ({ name }) => name)
    expect(new Set(series.map(({ colour }) => colour)).size).toBe(series.length)
    expect(series.find(({ name }) => name === '/api/devices')?.colour ?? 0).toBe(0)
  }
})
