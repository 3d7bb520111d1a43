import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sampleDevice } from '../../test/support/device.ts'
import { runTimeSliced } from '../lib/event-loop.ts'
import { runToEnd } from '../lib/time-sliced.ts'
import type { Device } from './device.ts'
import { parseSearchTerm, type SearchTerm } from './search/search-term.ts'
import { buildSnapshot, type CatalogueSnapshot } from './snapshot.ts'

const build = (
  devices: readonly Device[],
  previous: CatalogueSnapshot | null = null,
  removed: readonly string[] = [],
) => runToEnd(buildSnapshot(previous, { changed: devices, removed }, 'http://service'))
const names = (snapshot: CatalogueSnapshot) => snapshot.listDevices().map((device) => device.name)
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

test('devices are sorted newest first, unknown dates last, then by slug; variants in the order of their devices', () => {
  const snapshot = build([
    sampleDevice('B', 'Undated', { releasedOn: null }),
    sampleDevice('A', 'Undated', { releasedOn: null }),
    sampleDevice('A', 'Old', { releasedOn: '2001-01-01', variants: [{}, {}] }),
    sampleDevice('B', 'New', { releasedOn: '2024-01-01' }),
    sampleDevice('A', 'New', { releasedOn: '2024-01-01' }),
  ])
  expect(snapshot.listDevices().map((device) => device.id)).toEqual([
    'a-new',
    'b-new',
    'a-old',
    'a-undated',
    'b-undated',
  ])
  expect(snapshot.variants.map(({ variant }) => variant.id)).toEqual([
    'a-new-64gb',
    'b-new-64gb',
    'a-old-64gb',
    'a-old-128gb',
    'a-undated-64gb',
    'b-undated-64gb',
  ])
})

test('a device and a variant are found by their id, and a device by its codes', () => {
  const phone = sampleDevice('Acme', 'One', { modelNumbers: ['X-1'], variants: [{ partNumbers: ['P1'] }] })
  const snapshot = build([phone])
  expect(snapshot.findDevice('acme-one')).toBe(phone)
  expect(snapshot.findVariant('acme-one-64gb')?.device).toBe(phone)
  expect(snapshot.findDevice('constructor')).toBeUndefined()
  expect(snapshot.findVariant('nothing')).toBeUndefined()
  expect(snapshot.findDevicesByCode('x-1')).toEqual([phone])
  expect(snapshot.findDevicesByCode('p1')).toEqual([phone])
})

test('a device read twice, because it was written meanwhile, is listed once, in its latest form', () => {
  const before = sampleDevice('Acme', 'One', { releasedOn: '2020-01-01' })
  const after = { ...before, releasedOn: '2021-01-01' }
  const snapshot = build([before, after])
  expect(snapshot.listDevices()).toEqual([after])
  expect(snapshot.variants).toHaveLength(1)
})

describe('a successor', () => {
  const one = sampleDevice('Acme', 'One', { releasedOn: '2020-01-01' })
  const two = sampleDevice('Acme', 'Two', { releasedOn: '2021-01-01' })
  const before = build([one, two])

  test('reuses the bytes of unchanged devices and encodes the changed ones', () => {
    const bytesOfTwo = before.deviceJson(0)
    const bytesOfVariant = before.variantJson(0)
    const after = build([{ ...one, name: 'One again' }], before)
    expect(after.deviceJson(0)).toBe(bytesOfTwo)
    expect(after.variantJson(0)).toBe(bytesOfVariant)
    expect(text(after.deviceJson(1))).toContain('"name":"One again"')
  })

  test('leaves its predecessor unchanged', () => {
    build([{ ...one, name: 'Renamed' }], before, ['acme-two'])
    expect(names(before)).toEqual(['Two', 'One'])
    expect(before.searchDevices(parseSearchTerm('renamed') as SearchTerm)).toHaveLength(0)
    expect(before.findDevice('acme-two')).toBe(two)
  })

  test('contains removed devices neither in lists, lookups nor search', () => {
    const after = build([], before, ['acme-two'])
    expect(names(after)).toEqual(['One'])
    expect(after.findDevice('acme-two')).toBeUndefined()
    expect(after.searchDevices(parseSearchTerm('two') as SearchTerm)).toHaveLength(0)
  })

  test('equals a snapshot built from scratch, whatever changed and however it was scheduled', async () => {
    const device = fc
      .record({
        name: fc.constantFrom('Alpha 1', 'Beta Pro', 'Gamma', 'Delta Max', 'Émile', 'Zeta+'),
        // Occasionally the same device with another name and another code.
        id: fc.constantFrom(undefined, undefined, 'acme-first', 'bolt-second'),
        code: fc.constantFrom('X-1', 'Y-2', 'Z-3'),
        make: fc.constantFrom('Acme', 'Bolt'),
        releasedOn: fc.constantFrom('2020-01-01', '2021-01-01', null),
        storages: fc.uniqueArray(fc.constantFrom('64GB', '128 GB', '1TB'), { minLength: 1 }),
      })
      .map(({ id, name, make, code, releasedOn, storages }) =>
        sampleDevice(make, name, {
          ...(id === undefined ? {} : { id }),
          releasedOn,
          modelNumbers: [`${name}-1`, code],
          variants: storages.map((value) => ({ attributes: [{ name: 'storage', value }] })),
        }),
      )
    const step = fc.record({ changed: fc.array(device, { maxLength: 6 }), removed: fc.array(device, { maxLength: 2 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        let grown = build([])
        const registry = new Map<string, Device>()
        for (const { changed, removed } of steps) {
          const removedIds = removed.map((each) => each.id)
          for (const each of changed) registry.set(each.id, each)
          for (const id of removedIds) registry.delete(id)
          const work = buildSnapshot(grown, { changed, removed: removedIds }, 'http://service')
          grown = await runTimeSliced(work, async () => {}, 0)
        }
        const fresh = build([...registry.values()])
        expect(grown.listDevices()).toEqual(fresh.listDevices())
        expect([...grown.attributeNames]).toEqual([...fresh.attributeNames])
        for (const typed of [
          'a',
          'acme',
          'beta pro',
          'alpha 1-1',
          'emile',
          'gamna',
          'zeta plus',
          'Gamma-1',
          '128gb',
          'X-1',
          'acme Y-2',
        ]) {
          const term = parseSearchTerm(typed) as SearchTerm
          expect(grown.searchDevices(term)).toEqual(fresh.searchDevices(term))
          expect(grown.searchVariants(term)).toEqual(fresh.searchVariants(term))
        }
        for (const code of ['X-1', 'Y-2', 'Gamma-1', 'ACME-FIRST-1TB'])
          expect(grown.findDevicesByCode(code)).toEqual(fresh.findDevicesByCode(code))
        expect(grown.findVariantsByAttribute('storage 128gb')).toEqual(fresh.findVariantsByAttribute('storage 128gb'))
      }),
      { numRuns: 60 },
    )
  })
})
