import { expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import { bundledDevices } from '../../catalog/bundled-catalogue-service.ts'
import type { Device } from '../../catalog/device.ts'
import { mergeDevice, type SourcedDevice } from './merge-device.ts'
import { toRowSet } from './registry-store.ts'
import { bundledDraft, bundledRows } from './seed-catalogue-service.ts'

/** A bundled device meets an existing row of the database. */
function adopt(device: Device, known: SourcedDevice | undefined): SourcedDevice {
  return mergeDevice(device.id, known, bundledDraft(device)).device
}

const ours = sampleDevice('Acme', 'One', {
  releasedOn: '2020-05-05',
  modelNumbers: ['A1', 'A2'],
  specifications: { chip: 'X2', weight: '170 g' },
})

function storedDevice(more: Partial<SourcedDevice> = {}): SourcedDevice {
  return { ...adopt(ours, undefined), ...more }
}

test('an unknown device is stored unchanged', () => {
  expect(adopt(ours, undefined)).toMatchObject({ ...ours, source: 'bundled', provenance: {} })
  expect(adopt(ours, undefined).variants.map(({ source }) => source)).toEqual(['bundled'])
})

test('the rows of a first start equal a merge into an empty database', () => {
  for (const device of bundledDevices()) {
    expect(bundledRows(device), device.id).toEqual(toRowSet(adopt(device, undefined)))
  }
})

test('adopting twice changes nothing', () => {
  const once = adopt(ours, undefined)
  expect(adopt(ours, once)).toEqual(once)
})

test('data of an earlier version that this version lacks is deleted', () => {
  const before = storedDevice({ modelNumbers: ['A1', 'WRONG'], specifications: { chip: 'X1', colour: 'typo' } })
  const after = adopt(ours, before)
  expect(after.modelNumbers).toEqual(['A1', 'A2'])
  expect(after.specifications).toEqual({ chip: 'X2', weight: '170 g' })
})

test("an operator's numbers and specifications that the bundled catalogue lacks stay, with their origin", () => {
  const before = storedDevice({
    modelNumbers: ['A1', 'G9'],
    specifications: { chip: 'X2', ram: '8GB' },
    provenance: { 'model_number:G9': 'own', 'specification:ram': 'own' },
  })
  const after = adopt(ours, before)
  expect(after.modelNumbers).toEqual(['A1', 'A2', 'G9'])
  expect(after.specifications).toEqual({ chip: 'X2', weight: '170 g', ram: '8GB' })
  expect(after.provenance).toEqual({ 'model_number:G9': 'own', 'specification:ram': 'own' })
  expect(adopt(ours, after)).toEqual(after)
})

test("an operator's date fills in an unknown one", () => {
  const undated = sampleDevice('Acme', 'One', { releasedOn: null, releasePrecision: null })
  const after = adopt(undated, storedDevice({ source: 'own', releasedOn: '2019-01-01', releasePrecision: 'year' }))
  expect(after).toMatchObject({ releasedOn: '2019-01-01', releasePrecision: 'year' })
})

test("an operator's data outranks the bundled catalogue", () => {
  const [variant] = storedDevice().variants as [SourcedDevice['variants'][0]]
  const theirs: SourcedDevice = {
    ...storedDevice({ name: 'One (shop)', status: 'discontinued', specifications: { chip: 'X3' } }),
    provenance: { name: 'own', status: 'own', 'specification:chip': 'own' },
    variants: [
      { ...variant, listCents: 1, source: 'own' },
      { ...variant, id: 'acme-one-refurbished', source: 'own' },
    ],
  }
  const after = adopt(ours, theirs)
  expect(after).toMatchObject({ name: 'One (shop)', status: 'discontinued' })
  expect(after.specifications).toEqual({ chip: 'X3', weight: '170 g' })
  expect(after.variants.map(({ id, listCents }) => [id, listCents])).toEqual([
    ['acme-one-64gb', 1],
    ['acme-one-refurbished', 10_000],
  ])
})

test('a name of your own and the name of the catalogue both survive a new version', () => {
  const listed = mergeDevice(ours.id, storedDevice(), {
    make: 'Acme',
    name: 'One 5G',
    source: 'own',
    line: 2,
  }).device
  expect(listed.provenance).toEqual({ 'also_named:One': 'bundled', name: 'own' })
  expect(adopt(ours, listed).provenance).toEqual(listed.provenance)
})

test('a date that this version withdraws is deleted', () => {
  const undated = { ...ours, releasedOn: null, releasePrecision: null }
  expect(adopt(undated, storedDevice())).toMatchObject({ releasedOn: null, releasePrecision: null })
})

test('facts of your own stay yours, so that the device survives its removal from the catalogue', () => {
  const listed = mergeDevice(ours.id, undefined, {
    make: 'Acme',
    name: 'One',
    source: 'own',
    line: 2,
    modelNumbers: ['A1'],
  }).device
  const { provenance, category } = adopt(ours, listed)
  expect(category).toBe(ours.category)
  expect(provenance).toMatchObject({ 'model_number:A1': 'own', name: 'own' })
})
