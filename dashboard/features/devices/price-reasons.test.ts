import { expect, test } from 'bun:test'
import i18next from 'i18next'
import { loadLanguage } from '../../i18n.ts'
import { sourceNote } from './price-reasons.tsx'

const purchase = {
  kind: 'own',
  name: null,
  side: 'buyback',
  observations: 1,
  recent: 1,
  newest: '2026-03-02T00:00:00Z',
  good: 20_000,
  weight: 100,
} as never

test('a resale price is not said to rest on a source that has only purchases', async () => {
  await loadLanguage('en')
  await i18next.changeLanguage('en')
  const facts = { sources: [purchase], source_count: 1 }
  expect(sourceNote({ ...facts, resale: { source: 'estimate' } })).toContain('the resale price is an estimate')
  expect(sourceNote({ ...facts, resale: { source: 'market' } })).toContain('rests on one source')
  expect(sourceNote({ sources: [], source_count: 0, resale: { source: 'estimate' } })).toBeUndefined()
  expect(sourceNote({ ...facts, source_count: 2, resale: { source: 'market' } })).toBeUndefined()
})
