import { describe, expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { adopt, type HeldDevice } from './on-board-adoption.ts'

const ours = sampleDevice('Acme', 'One', {
  releasedOn: '2020-05-05',
  modelNumbers: ['A1', 'A2'],
  specifications: { chip: 'X2', weight: '170 g' },
})

function held(more: Partial<HeldDevice> = {}): HeldDevice {
  return { ...adopt(ours, undefined), ...more }
}

test('a device nobody knew is taken as it is', () => {
  expect(adopt(ours, undefined)).toMatchObject({ ...ours, source: 'on-board', provenance: {} })
  expect(adopt(ours, undefined).variants.map(({ source }) => source)).toEqual(['on-board'])
})

test('adopting twice changes nothing', () => {
  const once = adopt(ours, undefined)
  expect(adopt(ours, once)).toEqual(once)
})

test('what an earlier version brought and this one does not is gone', () => {
  const before = held({ modelNumbers: ['A1', 'WRONG'], specifications: { chip: 'X1', colour: 'typo' } })
  const after = adopt(ours, before)
  expect(after.modelNumbers).toEqual(['A1', 'A2'])
  expect(after.specifications).toEqual({ chip: 'X2', weight: '170 g' })
})

describe('what others said', () => {
  test('and we do not know stays, with its origin', () => {
    const before = held({
      modelNumbers: ['A1', 'G9'],
      specifications: { chip: 'X2', ram: '8GB' },
      provenance: { 'model_number:G9': 'google-play', 'specification:ram': 'google-play' },
    })
    const after = adopt(ours, before)
    expect(after.modelNumbers).toEqual(['A1', 'A2', 'G9'])
    expect(after.specifications).toEqual({ chip: 'X2', weight: '170 g', ram: '8GB' })
    expect(after.provenance).toEqual({ 'model_number:G9': 'google-play', 'specification:ram': 'google-play' })
    expect(adopt(ours, after)).toEqual(after)
  })

  test('gives way to what is on board, and so do the variants they made up', () => {
    const theirs: HeldDevice = {
      ...held({ source: 'google-play', name: 'ONE', releasedOn: '2019-01-01', specifications: { chip: 'other' } }),
      variants: [
        { ...(held().variants[0] as HeldDevice['variants'][0]), id: 'acme-one-made-up', source: 'google-play' },
      ],
    }
    const after = adopt(ours, theirs)
    expect(after).toMatchObject({ name: 'One', releasedOn: '2020-05-05', source: 'on-board' })
    expect(after.specifications.chip).toBe('X2')
    expect(after.variants.map(({ id }) => id)).toEqual(['acme-one-64gb'])
  })

  test('fills in a date we do not know', () => {
    const undated = sampleDevice('Acme', 'One', { releasedOn: null, releasePrecision: null })
    const after = adopt(undated, held({ source: 'google-play', releasedOn: '2019-01-01', releasePrecision: 'year' }))
    expect(after).toMatchObject({ releasedOn: '2019-01-01', releasePrecision: 'year' })
  })
})

test('what an operator said outranks what is on board', () => {
  const [variant] = held().variants as [HeldDevice['variants'][0]]
  const theirs: HeldDevice = {
    ...held({ name: 'One (shop)', status: 'discontinued', specifications: { chip: 'X3' } }),
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
