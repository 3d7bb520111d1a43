import { expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { runToEnd } from '../lib/time-sliced.ts'
import { bundledDevices } from './bundled-catalogue-service.ts'
import type { Device } from './device.ts'
import { BETWEEN, packDevice } from './packed-device.ts'
import { loadRows } from './rows-load.ts'
import { parseSearchTerm, type SearchTerm } from './search/search-term.ts'
import { buildFirstSnapshot, buildSnapshot } from './snapshot.ts'

const BASE = 'http://service'

async function* inPortions(rows: readonly string[], size: number) {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size).join(BETWEEN.rows)
}

/** As a store hands them out: devices in any order, and variants in another. */
function textsOf(devices: readonly Device[], change = (text: string) => text) {
  const packed = devices.map(packDevice)
  const variants = packed.flatMap((each) => each.variants).reverse()
  return {
    devices: inPortions(packed.map(({ text }) => change(text)).reverse(), 7),
    variants: inPortions(variants.map(change), 11),
    count: async () => devices.length,
  }
}

const fail = (id: string, error: unknown) => {
  throw new Error(`${id} was not read: ${error}`)
}

const jsonOf = ({ length, bytes }: { length: number; bytes(place: number): Uint8Array | undefined }) =>
  Array.from({ length }, (_, place) => new TextDecoder().decode(bytes(place)))

test('a registry that was read from the store answers as one of objects does, and goes on to do so when devices change', async () => {
  const devices = bundledDevices().slice(0, 150)
  let loaded = runToEnd(buildFirstSnapshot(await loadRows(textsOf(devices), fail), BASE))
  let plain = runToEnd(buildSnapshot(null, { changed: devices }, BASE))
  const renamed = devices.slice(10, 13).map((device) => ({ ...device, name: `${device.name} Zyzzyva` }))
  for (const changed of [[], renamed]) {
    loaded = runToEnd(buildSnapshot(loaded, { changed }, BASE))
    plain = runToEnd(buildSnapshot(plain, { changed }, BASE))
    expect(loaded.devices.length).toBe(devices.length)
    expect([...loaded.devices.all()]).toEqual([...plain.devices.all()])
    expect(jsonOf(loaded.devices)).toEqual(jsonOf(plain.devices))
    expect(jsonOf(loaded.variants)).toEqual(jsonOf(plain.variants))
    for (const text of ['iphone 13', 'pro max', 'zyzzyva', '256gb', 'A2633', devices[5]?.id ?? '']) {
      const term = parseSearchTerm(text) as SearchTerm
      expect(loaded.searchDevices(term)).toEqual(plain.searchDevices(term))
      expect(loaded.searchVariants(term)).toEqual(plain.searchVariants(term))
    }
    expect([...loaded.makes]).toEqual([...plain.makes])
  }
})

test('a device whose document cannot be read is left out of lists and told of when the index is made', async () => {
  const texts = textsOf([sampleDevice('Acme', 'Good'), sampleDevice('Acme', 'Bad')], (text) =>
    text.startsWith('acme-bad') ? text.replace('{', '{{') : text,
  )
  const snapshot = runToEnd(buildFirstSnapshot(await loadRows(texts, fail), BASE))
  expect(Array.from(snapshot.devices.all(), ({ id }) => id)).toEqual(['acme-good'])
  expect(snapshot.findDevice('acme-bad')).toBeUndefined()
  expect(snapshot.findVariant('acme-bad-64gb')).toBeUndefined()
  const index = snapshot.searchIndex.finishNow()
  expect(index.unreadableDevices.map(({ id }) => id)).toEqual(['acme-bad'])
  expect(index.searchDevices(parseSearchTerm('acme') as SearchTerm)).toHaveLength(1)
})

test('a row with a separator in a name is told of at once, and the others are served', async () => {
  const told: string[] = []
  const devices = [sampleDevice('Acme', 'Good'), sampleDevice('Acme', `Bad${BETWEEN.rows}name`)]
  const snapshot = runToEnd(buildFirstSnapshot(await loadRows(textsOf(devices), (id) => told.push(id)), BASE))
  expect(told).toEqual(['name'])
  expect(Array.from(snapshot.devices.all(), ({ name }) => name)).toEqual(['Good'])
  expect(snapshot.searchIndex.finishNow().unreadableDevices.map(({ id }) => id)).toEqual(['acme-bad-name'])
})

test('a device that comes twice, because it was written anew meanwhile, stands in lists once and has its variants', async () => {
  const before = sampleDevice('Acme', 'One', { releasedOn: '2020-01-01' })
  const after = { ...before, releasedOn: '2021-01-01' }
  const { devices } = textsOf([after, before])
  const snapshot = runToEnd(buildFirstSnapshot(await loadRows({ ...textsOf([after]), devices }, fail), BASE))
  expect(Array.from(snapshot.devices.all(), ({ id, variants }) => [id, variants.length])).toEqual([['acme-one', 1]])
  expect(snapshot.variants.length).toBe(1)
})
