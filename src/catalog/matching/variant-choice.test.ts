import { expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import { chooseVariants, parseGigabytes, type StatedAttributes } from './variant-choice.ts'

const attributes = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }))
const laptop = sampleDevice('Apple', 'MacBook', {
  variants: [
    { attributes: attributes({ chip: 'M1 Pro', ram: '16GB', storage: '512GB', color: 'Silver' }) },
    { attributes: attributes({ chip: 'M1 Pro', ram: '16GB', storage: '1TB', color: 'Space Gray' }) },
    { attributes: attributes({ chip: 'M1 Max', ram: '32GB', storage: '1TB', color: 'Space Gray' }) },
  ],
})
const nothing: StatedAttributes = {
  amounts: [],
  chips: [],
  graphics: [],
  millimeters: [],
  connectivity: [],
  colors: [],
}
const plain = (...gigabytes: number[]) => gigabytes.map((one) => ({ gigabytes: one, isRam: false }))

test('amounts are parsed in GB and TB', () => {
  expect(parseGigabytes('128 GB')).toBe(128)
  expect(parseGigabytes('1TB')).toBe(1024)
  expect(parseGigabytes('a lot')).toBeNull()
})

test('the smaller of two amounts is memory', () => {
  const chosen = chooseVariants(laptop, { ...nothing, amounts: plain(16, 512) })
  expect(chosen).toMatchObject({ storageGb: 512, ramGb: 16, note: null })
  expect(chosen.variants).toHaveLength(1)
})

test('memory, storage or a chip it was not sold with match no variant', () => {
  expect(chooseVariants(laptop, { ...nothing, amounts: plain(64, 512) }).note).toBe('memory_not_offered')
  expect(chooseVariants(laptop, { ...nothing, amounts: plain(256) }).note).toBe('storage_not_offered')
  expect(chooseVariants(laptop, { ...nothing, chips: ['m2 pro'] }).note).toBe('chip_not_offered')
})

test('an unknown color excludes no variant, and a plain color finds the only shade of it', () => {
  expect(chooseVariants(laptop, { ...nothing, colors: ['pink'] }).variants).toHaveLength(3)
  expect(chooseVariants(laptop, { ...nothing, colors: ['gray'] }).variants).toHaveLength(2)
})

test('the only listed variant is not chosen if the title states another color', () => {
  const playStation = sampleDevice('Sony', 'PlayStation 4 Pro', {
    variants: [{ attributes: attributes({ storage: '1TB', color: 'Jet Black' }) }],
  })
  expect(chooseVariants(playStation, { ...nothing, colors: ['white'] }).variants).toHaveLength(0)
  expect(chooseVariants(playStation, { ...nothing, colors: ['black'] }).variants).toHaveLength(1)
  expect(chooseVariants(playStation, nothing).variants).toHaveLength(1)
})
