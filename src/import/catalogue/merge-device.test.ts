import { expect, test } from 'bun:test'
import type { DeviceDraft } from './device-draft.ts'
import { createImportRegistry } from './import-registry.ts'
import { mergeDevice, type SourcedDevice } from './merge-device.ts'
import { toRowSet } from './registry-store.ts'

function draft(more: Partial<DeviceDraft> = {}): DeviceDraft {
  return { make: 'Samsung', name: 'Galaxy S21', source: 'google-play', line: 2, ...more }
}

function merged(...drafts: DeviceDraft[]): SourcedDevice {
  let device: SourcedDevice | undefined
  for (const one of drafts) device = mergeDevice('samsung-galaxy-s21', device, one).device
  return device as SourcedDevice
}

const model = (value: string) => ({ attributes: [{ name: 'model', value }], modelNumbers: [value] })

test('a better source replaces a fact and is recorded as its source', () => {
  const device = merged(
    draft({ category: 'Android Device', categoryInferred: true }),
    draft({ category: 'Smartphone', source: 'google-play-console' }),
    draft({ category: 'Tablet', source: 'lineageos' }),
  )
  expect(device.category).toBe('Smartphone')
  expect(device.provenance).toEqual({ category: 'google-play-console' })
})

test('a guess never replaces a stated fact', () => {
  const device = merged(
    draft({ category: 'Smartphone', source: 'lineageos' }),
    draft({ category: 'Android Device', categoryInferred: true }),
  )
  expect(device.category).toBe('Smartphone')
})

test('an operator overrides the bundled catalogue, which outranks lists', () => {
  const device = merged(
    draft({ releasedOn: '2021-01-29', releasePrecision: 'day', source: 'bundled' }),
    draft({ releasedOn: '2021-01-01', releasePrecision: 'month', source: 'appledb' }),
  )
  expect(device.releasedOn).toBe('2021-01-29')
  const corrected = mergeDevice(device.id, device, draft({ releasedOn: '2021-01-14', source: 'own' })).device
  expect(corrected).toMatchObject({ releasedOn: '2021-01-14', releasePrecision: 'day', source: 'bundled' })
  expect(corrected.provenance).toEqual({ released: 'own', name: 'own' })
})

test('numbers of several sources are collected, each with its source', () => {
  const device = merged(
    draft({ modelNumbers: ['SM-G991B'], source: 'bundled' }),
    draft({ modelNumbers: ['SM-G991B', 'SM-G991U'], modelIdentifiers: ['o1s'] }),
  )
  expect(device.modelNumbers).toEqual(['SM-G991B', 'SM-G991U'])
  expect(device.provenance).toEqual({
    'model_number:SM-G991U': 'google-play',
    'model_identifier:o1s': 'google-play',
  })
})

test('a variant without a list price is stored with price 0 and not disabled', () => {
  const device = merged(draft({ variants: [model('SM-G991B')] }))
  expect(device.variants).toMatchObject([
    { id: 'samsung-galaxy-s21-sm-g991b', name: 'Galaxy S21 SM-G991B', listCents: 0, disabled: false },
  ])
})

test('a device with better variants gets no worse ones', () => {
  const priced = { attributes: [{ name: 'storage', value: '128GB' }], listCents: 79900 }
  const first = merged(draft({ source: 'bundled', variants: [priced] }))
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

test('names from other lists are stored, so that the name alone finds the device from then on', () => {
  const registry = registryOf(['samsung-galaxy-s21', draft({ modelNumbers: ['SM-G991B'], source: 'bundled' })])
  const record = draft({ name: 'Galaxy S21 5G', modelNumbers: ['SM-G991B'] })
  const first = mergeDevice('samsung-galaxy-s21', registry.get('samsung-galaxy-s21'), record).device
  expect(first.name).toBe('Galaxy S21')
  expect(first.provenance).toEqual({ 'also_named:Galaxy S21 5G': 'google-play' })
  expect(mergeDevice(first.id, first, record).device).toBe(first)
  registry.put(first)
  expect(registry.findByName('Samsung', 'Galaxy S21 5G')).toBe('samsung-galaxy-s21')
})

test('a shared model number alone does not merge two phones', () => {
  const registry = registryOf([
    'motorola-moto-g-4',
    draft({ make: 'Motorola', name: 'Moto G (4)', modelNumbers: ['Moto G (4)'] }),
  ])
  const record = draft({ make: 'Motorola', name: 'Moto G (5) Plus', modelNumbers: ['Moto G (4)', 'Moto G (5) Plus'] })
  expect(registry.identify(record).id).toBe('motorola-moto-g-5-plus')
})

test('a number of one device only finds the device under another name', () => {
  const registry = registryOf([
    'apple-ipad-pro-11-inch-1st-generation',
    draft({ make: 'Apple', name: 'iPad Pro 11-inch (1st generation)', modelNumbers: ['A1980', 'A2013'] }),
  ])
  const record = draft({
    make: 'Apple',
    name: 'iPad Pro (11-inch)',
    modelNumbers: ['A1980', 'A2013', 'A1934'],
    modelNumbersAreUnique: true,
    source: 'appledb',
  })
  expect(registry.identify(record).id).toBe('apple-ipad-pro-11-inch-1st-generation')
})

test('years of a Mac share a model number and stay separate by their identifiers', () => {
  const registry = registryOf([
    'apple-macbook-air-11-inch-early-2015',
    draft({
      make: 'Apple',
      name: 'MacBook Air (11-inch, Early 2015)',
      modelNumbers: ['A1465'],
      modelIdentifiers: ['MacBookAir7,1'],
    }),
  ])
  const record = draft({
    make: 'Apple',
    name: 'MacBook Air (11-inch, Mid 2012)',
    modelNumbers: ['A1465'],
    modelIdentifiers: ['MacBookAir5,1'],
    modelNumbersAreUnique: true,
    identifiersMustAgree: true,
    source: 'appledb',
  })
  expect(registry.identify(record).id).toBe('apple-macbook-air-11-inch-mid-2012')
  expect(registry.identify({ ...record, modelIdentifiers: ['MacBookAir7,1'] }).id).toBe(
    'apple-macbook-air-11-inch-early-2015',
  )
})

test('a unique codename finds its device if the list vouches for its numbers', () => {
  const registry = registryOf([
    'google-nexus-6p',
    draft({ make: 'Google', name: 'Nexus 6P', modelNumbers: ['Nexus 6P'], modelIdentifiers: ['angler'] }),
  ])
  const record = draft({ make: 'Huawei', name: 'Nexus 6P', modelIdentifiers: ['angler'], source: 'lineageos' })
  expect(registry.identify(record).id).toBe('huawei-nexus-6p')
  expect(registry.identify({ ...record, modelNumbersAreUnique: true }).id).toBe('google-nexus-6p')
  const renamed = { ...record, name: 'Nexus Six', modelNumbersAreUnique: true }
  expect(registry.identify(renamed).id).toBe('huawei-nexus-six')
  expect(registry.identify({ ...renamed, make: 'Google' }).id).toBe('google-nexus-6p')
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
    draft({ releasedOn: '2021-01-01', releasePrecision: 'month', source: 'lineageos' }),
  )
  expect(device).toMatchObject({ releasedOn: '2021-01-01', releasePrecision: 'day' })
})
