import { expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import { isTacOlderThanDevice } from '../tac/tac-age.ts'
import { findDeviceId } from './device-lookup.ts'
import { createImportRegistry } from './import-registry.ts'
import type { SourcedDevice } from './merge-device.ts'

const device = (make: string, name: string, releasedOn: string, modelNumbers: string[]): SourcedDevice => ({
  ...sampleDevice(make, name, { releasedOn, modelNumbers, status: 'discontinued' }),
  variants: [],
  source: 'bundled',
  provenance: {},
})

const registry = createImportRegistry([
  device('Apple', 'iPhone 7', '2016-09-16', ['A1660', 'A1778', 'A1779']),
  device('Apple', 'iPhone XS Max', '2018-09-21', ['A1921']),
  device('Apple', 'iPhone 6', '2014-09-19', ['A1549', 'A1586']),
  device('Samsung', 'Galaxy A20', '2019-04-05', ['SM-A205F', 'SM-A205U']),
  device('Samsung', 'Galaxy A10s', '2019-08-27', ['SM-A107F']),
  device('Nokia', 'Nokia X6', '2018-05-21', ['TA-1099']),
  device('Nokia', 'Nokia C3', '2020-08-13', []),
])

for (const [make, names, tac, found] of [
  ['Apple', ['iPhone 7 A1778 TD-LTE 32GB', 'D101AP', 'iPhone 9'], '35531208', 'apple-iphone-7'],
  ['Apple', ['iPhone 7 A1779 TD-LTE JP 32GB'], '35531208', 'apple-iphone-7'],
  ['Apple', ['iPhone XS Max 256GB'], '35727609', 'apple-iphone-xs-max'],
  ['Apple', ['iPhone 6', 'A1522', 'A1549', 'iPhone 6 (A1524'], '35925406', 'apple-iphone-6'],
  ['Samsung', ['SM-A205FN/DS (SIM2)', 'Galaxy A20'], '35400010', 'samsung-galaxy-a20'],
  ['Samsung', ['SM-A107F/DS (SIM2)', 'Galaxy A10S'], '35400011', 'samsung-galaxy-a10s'],
  // Names that a maker reused: the numbers or the age of the TAC show that it is the other device.
  ['Nokia', ['X6', 'RM-551', 'X6-00'], '35700003', undefined],
  ['Nokia', ['X6'], '35700003', undefined],
  ['Nokia', ['C3', 'C3-00', 'RM-614'], '35800004', undefined],
  ['Nokia', ['X6'], '35700009', 'nokia-x6'],
  ['Samsung', ['SM-A999F'], '35400010', undefined],
] as const) {
  test(`${make} ${names[0]} of ${tac} is ${found ?? 'unknown'}`, () => {
    expect(findDeviceId(registry, make, null, names, tac)).toBe(found)
  })
}

test('a TAC allocated years before the device was released does not belong to it', () => {
  expect(isTacOlderThanDevice('35631606', '2018-08-24')).toBe(true)
  expect(isTacOlderThanDevice('35631609', '2018-08-24')).toBe(false)
  expect(isTacOlderThanDevice('49015420', '2014-01-01')).toBe(true)
  // Since 2020 TACs are allocated from the whole range.
  expect(isTacOlderThanDevice('35631606', '2021-01-29')).toBe(false)
  expect(isTacOlderThanDevice('35631606', null)).toBe(false)
})
