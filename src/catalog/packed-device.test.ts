import { expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { atOnce } from '../slices.ts'
import { makeEntry, openLexicons } from './entry.ts'
import { devicesOnBoard } from './onboard.ts'
import { packDevice, unpackDevice } from './packed-device.ts'
import { buildSnapshot, firstSnapshot } from './snapshot.ts'
import { readTerm, type SearchTerm } from './words.ts'

const BASE = 'http://service'

test('every device on board is the same after it was packed', () => {
  for (const device of devicesOnBoard()) expect(unpackDevice(packDevice(device))).toEqual(device)
})

test('a device without variants, with its own SKUs and without a date is the same too', () => {
  for (const device of [
    sampleDevice('Acme', 'Bare', { variants: [], releasedOn: null, releasePrecision: null }),
    sampleDevice('Acme', 'Ünlü "1"', { variants: [{ sku: 'A/1\n', disabled: true, listCents: 0 }, { sku: '' }] }),
  ]) {
    expect(unpackDevice(packDevice(device))).toEqual(device)
  }
})

test('a registry of packed devices answers as one of objects does, and goes on to do so when devices change', () => {
  const devices = devicesOnBoard().slice(0, 400)
  const lexicons = openLexicons()
  const entries = devices.map((device) => makeEntry(packDevice(device), lexicons))
  let packed = atOnce(firstSnapshot(entries, lexicons, BASE))
  let plain = atOnce(buildSnapshot(null, { changed: devices }, BASE))
  const renamed = devices.slice(10, 13).map((device) => ({ ...device, name: `${device.name} Zyzzyva` }))
  for (const changed of [[], renamed]) {
    packed = atOnce(buildSnapshot(packed, { changed }, BASE))
    plain = atOnce(buildSnapshot(plain, { changed }, BASE))
    expect(packed.devices.length).toBe(devices.length)
    for (let place = 0; place < devices.length; place++)
      expect(packed.deviceBytes(place)).toEqual(plain.deviceBytes(place))
    for (const text of ['iphone 13', 'pro max', 'zyzzyva', '256gb', 'A2633', devices[5]?.id ?? '']) {
      const term = readTerm(text) as SearchTerm
      expect(packed.searchDevices(term)).toEqual(plain.searchDevices(term))
      expect(packed.searchVariants(term)).toEqual(plain.searchVariants(term))
    }
  }
})

test('a packed device that cannot be read is told of when the index is made, and the others are found', () => {
  const lexicons = openLexicons()
  const [good, bad] = [sampleDevice('Acme', 'Good'), packDevice(sampleDevice('Acme', 'Bad'))]
  const broken = { ...bad, text: bad.text.replace('{', '{{') }
  const entries = [good, broken].map((device) => makeEntry(device, lexicons))
  const { index } = atOnce(firstSnapshot(entries, lexicons, BASE))
  expect(index.now().unreadable.map(({ id }) => id)).toEqual(['acme-bad'])
  expect(index.now().searchDevices(readTerm('acme') as SearchTerm)).toHaveLength(1)
})
