import { expect, test } from 'bun:test'
import type { DeviceDraft } from './device-draft.ts'
import { createImportRegistry } from './import-registry.ts'
import { mergeDevice, type SourcedDevice } from './merge-device.ts'
import { toRowSet } from './registry-store.ts'

function draft(more: Partial<DeviceDraft> = {}): DeviceDraft {
  return { make: 'Samsung', name: 'Galaxy S21', source: 'bundled', line: 2, ...more }
}

function merged(...drafts: DeviceDraft[]): SourcedDevice {
  let device: SourcedDevice | undefined
  for (const one of drafts) device = mergeDevice('samsung-galaxy-s21', device, one).device
  return device as SourcedDevice
}

const model = (value: string) => ({ attributes: [{ name: 'model', value }], modelNumbers: [value] })

test('your own file replaces a fact of the bundled catalogue and is recorded as its source', () => {
  const device = merged(
    draft({ category: 'Tablet' }),
    draft({ category: 'Smartphone', source: 'own' }),
    draft({ category: 'Laptop' }),
  )
  expect(device.category).toBe('Smartphone')
  expect(device.provenance).toEqual({ category: 'own', name: 'own' })
})

test('a corrected date has the precision of the file that corrects it', () => {
  const device = merged(draft({ releasedOn: '2021-01-01', releasePrecision: 'month' }))
  const corrected = mergeDevice(device.id, device, draft({ releasedOn: '2021-01-14', source: 'own' })).device
  expect(corrected).toMatchObject({ releasedOn: '2021-01-14', releasePrecision: 'day', source: 'bundled' })
  expect(corrected.provenance).toEqual({ released: 'own', name: 'own' })
})

test('numbers of several sources are collected, each with its source', () => {
  const device = merged(
    draft({ modelNumbers: ['SM-G991B'], source: 'bundled' }),
    draft({ modelNumbers: ['SM-G991B', 'SM-G991U'], modelIdentifiers: ['o1s'], source: 'own' }),
  )
  expect(device.modelNumbers).toEqual(['SM-G991B', 'SM-G991U'])
  expect(device.provenance).toEqual({
    'model_number:SM-G991U': 'own',
    'model_identifier:o1s': 'own',
    name: 'own',
  })
})

test('a variant without a list price is stored with price 0 and not disabled', () => {
  const device = merged(draft({ variants: [model('SM-G991B')] }))
  expect(device.variants).toMatchObject([
    { id: 'samsung-galaxy-s21-sm-g991b', name: 'Galaxy S21 SM-G991B', listCents: 0, disabled: false },
  ])
})

test('a device with variants of your own gets none of the bundled catalogue', () => {
  const priced = { attributes: [{ name: 'storage', value: '128GB' }], listCents: 79900 }
  const first = merged(draft({ source: 'own', variants: [priced] }))
  const { device, variantsLeftOut } = mergeDevice(first.id, first, draft({ variants: [model('SM-G991B')] }))
  expect(device.variants.map((variant) => variant.id)).toEqual(['samsung-galaxy-s21-128gb'])
  expect(variantsLeftOut).toBe(1)
})

test('importing the same data again changes no row', () => {
  const record = draft({
    category: 'Smartphone',
    modelNumbers: ['SM-G991B', 'SM-G991U'],
    specifications: { chip: 'Exynos 2100' },
    variants: [model('SM-G991B'), model('SM-G991U')],
  })
  expect(toRowSet(merged(record, record))).toEqual(toRowSet(merged(record)))
})

function registryOf(...devices: [string, DeviceDraft][]) {
  return createImportRegistry(devices.map(([id, record]) => mergeDevice(id, undefined, record).device))
}

test('a list that adds "5G" to the name finds the device by a shared model number', () => {
  const registry = registryOf(['samsung-galaxy-s21', draft({ modelNumbers: ['SM-G991B'], source: 'bundled' })])
  const record = draft({ name: 'Galaxy S21 5G', modelNumbers: ['SM-G991B', 'SM-G991U'] })
  expect(registry.identify(record).id).toBe('samsung-galaxy-s21')
  expect(registry.identify(draft({ name: 'Galaxy S21 5G', modelNumbers: ['SM-X'] })).id).toBe('samsung-galaxy-s21-5g')
})

test('the earlier name is stored, so that it still finds a device that your own file renames', () => {
  const registry = registryOf(['samsung-galaxy-s21', draft({ modelNumbers: ['SM-G991B'] })])
  const record = draft({ name: 'Galaxy S21 5G', modelNumbers: ['SM-G991B'], source: 'own' })
  const first = mergeDevice('samsung-galaxy-s21', registry.get('samsung-galaxy-s21'), record).device
  expect(first.name).toBe('Galaxy S21 5G')
  expect(first.provenance).toEqual({ 'also_named:Galaxy S21': 'bundled', name: 'own' })
  expect(mergeDevice(first.id, first, record).device).toBe(first)
  registry.put(first)
  for (const name of ['Galaxy S21', 'Galaxy S21 5G'])
    expect(registry.findByName('Samsung', name)).toBe('samsung-galaxy-s21')
})

test('a shared model number alone does not merge two phones', () => {
  const registry = registryOf([
    'motorola-moto-g-4',
    draft({ make: 'Motorola', name: 'Moto G (4)', modelNumbers: ['Moto G (4)'] }),
  ])
  const record = draft({ make: 'Motorola', name: 'Moto G (5) Plus', modelNumbers: ['Moto G (4)', 'Moto G (5) Plus'] })
  expect(registry.identify(record).id).toBe('motorola-moto-g-5-plus')
})

test('names without ASCII letters get the model number as id, the same at every import', () => {
  const first = draft({ make: 'Huawei', name: '华为畅享 8', modelNumbers: ['LDN-AL10', 'LDN-AL00'] })
  const second = draft({ make: 'Huawei', name: '荣耀 8', modelNumbers: ['FRD-AL00'] })
  const registry = registryOf()
  for (const [record, id] of [
    [first, 'huawei-8-ldn-al00'],
    [second, 'huawei-8-frd-al00'],
    [first, 'huawei-8-ldn-al00'],
  ] as const) {
    expect(registry.identify(record).id).toBe(id)
    registry.put(mergeDevice(id, registry.get(id), record).device)
  }
})

test('an id of another make is not reused', () => {
  const registry = registryOf(['a-b-c', draft({ make: 'A', name: 'B C' })])
  expect(registry.identify(draft({ make: 'A B', name: 'C', modelNumbers: ['X1'] }))).toEqual({
    id: 'a-b-c-x1',
    collided: true,
  })
})

test('two devices never share a variant id', () => {
  const registry = registryOf()
  expect(registry.claimVariantId('acer-b1-a71-x', 'acer-b1')).toBe('acer-b1-a71-x')
  expect(registry.claimVariantId('acer-b1-a71-x', 'acer-b1-a71')).toBe('acer-b1-a71-x-2')
})

test('the same day from a better source has the precision of that source', () => {
  const device = merged(
    draft({ releasedOn: '2021-01-01', releasePrecision: 'year' }),
    draft({ releasedOn: '2021-01-01', releasePrecision: 'day', source: 'own' }),
    draft({ releasedOn: '2021-01-01', releasePrecision: 'month', source: 'bundled' }),
  )
  expect(device).toMatchObject({ releasedOn: '2021-01-01', releasePrecision: 'day' })
})
