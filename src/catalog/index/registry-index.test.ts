import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sampleDevice } from '../../../test/support/device.ts'
import { changeIndex, indexWith, registryWith } from '../../../test/support/registry.ts'
import type { Device } from '../device.ts'
import type { Registry } from '../registry.ts'
import { parseSearchTerm, type SearchTerm } from '../search/search-term.ts'

const ids = (registry: Registry) => Array.from(registry.listDevices(), (device) => device.id)
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const allVariants = (registry: Registry) =>
  registry
    .selectVariants({ attributes: [] }, { offset: 0, limit: 1000 })
    .keys.map((key) => registry.variantAt(key).variant.id)

test('devices are sorted newest first, unknown dates last, then by slug; variants in the order of their devices', async () => {
  const registry = await registryWith([
    sampleDevice('B', 'Undated', { releasedOn: null }),
    sampleDevice('A', 'Undated', { releasedOn: null }),
    sampleDevice('A', 'Old', { releasedOn: '2001-01-01', variants: [{}, {}] }),
    sampleDevice('B', 'New', { releasedOn: '2024-01-01' }),
    sampleDevice('A', 'New', { releasedOn: '2024-01-01' }),
  ])
  expect(ids(registry)).toEqual(['a-new', 'b-new', 'a-old', 'a-undated', 'b-undated'])
  expect(allVariants(registry)).toEqual([
    'a-new-64gb',
    'b-new-64gb',
    'a-old-64gb',
    'a-old-128gb',
    'a-undated-64gb',
    'b-undated-64gb',
  ])
})

test('a device and a variant are found by their id, and a device by its codes', async () => {
  const phone = sampleDevice('Acme', 'One', { modelNumbers: ['X-1'], variants: [{ partNumbers: ['P1'] }] })
  const registry = await registryWith([phone])
  expect(registry.findDevice('acme-one')).toEqual(phone)
  expect(registry.findVariant('acme-one-64gb')?.device).toEqual(phone)
  expect(registry.findDevice('constructor')).toBeUndefined()
  expect(registry.findVariant('nothing')).toBeUndefined()
  expect(registry.findDevicesByCode('x-1')).toEqual([phone])
  expect(registry.findDevicesByCode('p1')).toEqual([phone])
})

describe('after a change', () => {
  const one = sampleDevice('Acme', 'One', { releasedOn: '2020-01-01' })
  const two = sampleDevice('Acme', 'Two', { releasedOn: '2021-01-01' })

  test('a value derived from the devices is no longer read, nor is one that was derived before', async () => {
    const index = await indexWith([one])
    const before = index.createRegistry()
    before.storeDerived?.('mean', '1')
    expect(index.createRegistry().readDerived?.('mean')).toBe('1')
    changeIndex(index, [two])
    const after = index.createRegistry()
    expect(after.readDerived?.('mean')).toBeUndefined()
    before.storeDerived?.('mean', '1')
    expect(after.readDerived?.('mean')).toBeUndefined()
  })

  test('a device is served in its latest form, once', async () => {
    const index = await indexWith([one, two])
    const registry = index.createRegistry()
    expect(registry.findDevice('acme-one')?.name).toBe('One')
    changeIndex(index, [{ ...one, name: 'One again', releasedOn: '2022-01-01' }])
    expect(ids(registry)).toEqual(['acme-one', 'acme-two'])
    expect(text(registry.deviceJson(registry.findDeviceNumber('acme-one') as number))).toContain('"name":"One again"')
    expect(registry.variantCount()).toBe(2)
  })

  test('removed devices are neither in lists, lookups nor search', async () => {
    const index = await indexWith([one, two])
    changeIndex(index, [], ['acme-two'])
    const registry = index.createRegistry()
    expect(ids(registry)).toEqual(['acme-one'])
    expect(registry.findDevice('acme-two')).toBeUndefined()
    expect(registry.searchDevices(parseSearchTerm('two') as SearchTerm).matches).toHaveLength(0)
    expect(registry.deviceCount()).toBe(1)
  })

  test('devices keep the order of lists however many come between two others', async () => {
    const index = await indexWith([one, two])
    const added = Array.from({ length: 600 }, (_, at) =>
      sampleDevice('Acme', `Phone ${String(at % 2 ? at : 1000 - at).padStart(3, '0')}`, { releasedOn: '2020-06-01' }),
    )
    for (const device of added) changeIndex(index, [device])
    const expected = added.map(({ id }) => id).sort()
    expect(ids(index.createRegistry())).toEqual(['acme-two', ...expected, 'acme-one'])
  })

  test('equals an index built from scratch, whatever changed', async () => {
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
        const index = await indexWith([])
        const registry = new Map<string, Device>()
        for (const { changed, removed } of steps) {
          const removedIds = removed.map((each) => each.id)
          for (const each of changed) registry.set(each.id, each)
          for (const id of removedIds) registry.delete(id)
          changeIndex(index, changed, removedIds)
        }
        const grown = index.createRegistry()
        const fresh = await registryWith([...registry.values()])
        expect([...grown.listDevices()]).toEqual([...fresh.listDevices()])
        expect([...grown.attributeNames()]).toEqual([...fresh.attributeNames()])
        expect(grown.countLabels('makes')).toEqual(fresh.countLabels('makes'))
        expect([grown.deviceCount(), grown.variantCount()]).toEqual([fresh.deviceCount(), fresh.variantCount()])
        const devicesFor = (each: Registry, term: SearchTerm) =>
          each.searchDevices(term).matches.map((number) => each.deviceAt(number).id)
        const variantsFor = (each: Registry, term: SearchTerm) =>
          each.searchVariants(term).matches.map((key) => each.variantAt(key).variant.id)
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
          expect(devicesFor(grown, term)).toEqual(devicesFor(fresh, term))
          expect(variantsFor(grown, term)).toEqual(variantsFor(fresh, term))
        }
        for (const code of ['X-1', 'Y-2', 'Gamma-1', 'ACME-FIRST-1TB'])
          expect(grown.findDevicesByCode(code)).toEqual(fresh.findDevicesByCode(code))
        const withStorage = (each: Registry) =>
          each
            .selectVariants({ attributes: ['storage 128gb'] }, { offset: 0, limit: 100 })
            .keys.map((key) => each.variantAt(key).variant.id)
        expect(withStorage(grown)).toEqual(withStorage(fresh))
      }),
      { numRuns: 60 },
    )
  })
})
