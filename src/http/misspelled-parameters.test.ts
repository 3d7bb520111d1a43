import { expect, test } from 'bun:test'
import { findMisspelledParameters } from './misspelled-parameters.ts'

const KNOWN = ['page', 'limit', 'search', 'device_id', 'pricing_type']
const none = () => false

for (const name of ['serach', 'Search', 'seach', 'pagee', 'deviceId', 'device-id', 'devcie_id', 'pricing_tpye']) {
  test(`"${name}" is reported as misspelled`, () => {
    expect(findMisspelledParameters([name], KNOWN, none)).toEqual([name])
  })
}

for (const name of ['search', 'utm_source', 'q', 'p', '_', 'v', 'sort', 'color', 'x'.repeat(41), '💥']) {
  test(`"${name.slice(0, 12)}" is not reported`, () => {
    expect(findMisspelledParameters([name], KNOWN, none)).toBeNull()
  })
}

test('an attribute of the catalogue is not reported', () => {
  expect(findMisspelledParameters(['pages'], KNOWN, (name) => name === 'pages')).toBeNull()
})

test('at most ten are reported', () => {
  const many = Array.from({ length: 50 }, (_, at) => `page${at % 10}${'_'.repeat(at)}`)
  expect(findMisspelledParameters(many, KNOWN, none)?.length).toBe(10)
})
