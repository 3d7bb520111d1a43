import { expect, test } from 'bun:test'
import { parseUnknownModel } from './price-file.ts'

for (const [text, storage, model, size] of [
  ['Galaxy S20', '', 'galaxy s20', 0],
  ['RTX 3080', '', 'rtx 3080', 0],
  ['Pixel 3', '64 GB', 'pixel 3', 64],
  ['Moto G7 64GB', '', 'moto g7', 64],
  ['iphone 6s|128', '', 'iphone 6s', 128],
  ['OnePlus 6T - 1 TB', '', 'oneplus 6t', 1024],
] as const) {
  test(`"${text}", unknown to the registry, is a ${model} of ${size || 'no known'} GB`, () => {
    expect(parseUnknownModel(text, storage)).toEqual({ model, size })
  })
}
