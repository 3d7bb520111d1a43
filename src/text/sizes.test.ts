import { expect, test } from 'bun:test'
import { storageSizes } from './sizes.ts'

test('storage is a power of two with a unit, and no memory', () => {
  expect(storageSizes('Atmintis: 128 GB, RAM 8GB')).toEqual(['128GB'])
  expect(storageSizes('64 or 128GB, 1TB too')).toEqual(['128GB', '1TB'])
  expect(storageSizes('version 13, 256기가')).toEqual(['256GB'])
})
