import { expect, test } from 'bun:test'
import { bundledDevices } from '../../catalog/bundled-catalogue-service.ts'
import { buildSubjectMatcher, createSubjectMatcher, type SubjectQuery } from './subject-matcher.ts'

const resolve = createSubjectMatcher(bundledDevices())
const nothing: SubjectQuery = {
  variantId: '',
  sku: '',
  partNumber: '',
  make: '',
  model: '',
  storage: '',
  ram: '',
  color: '',
}
const ask = (named: Partial<SubjectQuery>) => {
  const found = resolve({ ...nothing, ...named })
  return 'problem' in found ? found.problem : `${found.deviceId} ${found.configuration} ${found.variantId ?? '-'}`
}

for (const [named, expected] of [
  [{ variantId: 'apple-iphone-13-pro-128gb-gold' }, 'apple-iphone-13-pro 128gb apple-iphone-13-pro-128gb-gold'],
  [{ variantId: 'no-such' }, 'unknown_variant'],
  [{ sku: 'apple-iphone-13-pro-128gb-gold' }, 'apple-iphone-13-pro 128gb apple-iphone-13-pro-128gb-gold'],
  [{ partNumber: 'MLVC3LL/A' }, 'apple-iphone-13-pro 128gb apple-iphone-13-pro-128gb-gold'],
  [{ partNumber: 'ZZZZ9' }, 'unknown_part_number'],
  [{ make: 'Apple', model: 'iPhone 13 Pro', storage: '128' }, 'apple-iphone-13-pro 128gb -'],
  [{ make: 'apple', model: 'iphone 13 pro', storage: '1 TB' }, 'apple-iphone-13-pro 1tb -'],
  [{ model: 'Apple iPhone 13 Pro 256GB' }, 'apple-iphone-13-pro 256gb -'],
  [{ model: 'iPhone 13 Pro 256GB Unlocked Gold' }, 'apple-iphone-13-pro 256gb apple-iphone-13-pro-256gb-gold'],
  [
    { make: 'Apple', model: 'iPhone 13 Pro', storage: '128GB', color: 'Sierra Blue' },
    'apple-iphone-13-pro 128gb apple-iphone-13-pro-128gb-sierra-blue',
  ],
  [{ make: 'Apple', model: 'iPhone 13 Pro', storage: '64GB' }, 'storage_not_of_model'],
  // A shop's own article number says nothing; neither does a color in another language.
  [{ sku: 'IPH13P-128', model: 'iPhone 13 Pro', storage: '128 Go' }, 'apple-iphone-13-pro 128gb -'],
  [{ sku: 'IPH13P-128' }, 'unknown_sku'],
  [
    { model: 'Sony PlayStation 5', storage: '825 GB', color: 'Blanco' },
    'sony-playstation-5 825gb sony-playstation-5-825gb-white',
  ],
  [{ make: 'Apple', model: 'iPhone 13 Pro', storage: 'lots' }, 'storage_not_a_size'],
  [{ make: 'Apple', model: 'iPhone 13 Pro' }, 'storage_missing'],
  [{ make: 'Apple', model: 'iPhone 99', storage: '128GB' }, 'unknown_model'],
  [{ model: 'Galaxy Z Flip 99 256GB' }, 'unknown_model'],
  [{ make: 'Apple', model: 'Case for iPhone 13 Pro' }, 'accessory'],
  [{ model: 'iPhone 13 Pro 128GB for parts' }, 'apple-iphone-13-pro 128gb -'],
  [{ model: 'iPhone 13 Pro 128GB iCloud locked' }, 'locked'],
  [{ model: 'iPhone 13 Pro 128GB untested' }, 'for_parts'],
  [{ model: 'iphone 13 pro 128gb ne radi' }, 'apple-iphone-13-pro 128gb -'],
  [{ model: '아이폰 13 프로 128기가 후면 파손' }, 'apple-iphone-13-pro 128gb -'],
  [{ model: 'iPhone 13 Pro 128GB 256GB' }, 'several_sizes'],
  [{ make: 'Samsung', model: 'iPhone 13 Pro', storage: '128GB' }, 'title_of_other_make'],
  [{}, 'device_missing'],
] as const) {
  test(`${JSON.stringify(named)} is ${expected}`, () => expect(ask(named)).toBe(expected))
}

const baseOf = (named: Partial<SubjectQuery>) => {
  const found = resolve({ ...nothing, ...named })
  return 'problem' in found && found.base ? `${found.base.configuration} ${found.base.variantId ?? '-'}` : null
}

test.each([
  ['iPhone 13 Pro', '128gb -'],
  ['iPhone 6s 64GB 16GB 32GB', '16gb -'],
  ['iPad mini 4', 'wi-fi-16gb -'],
  // A larger size was cheaper when it followed later.
  ['iPhone 8 Plus', '64gb -'],
  ['Xbox Series X', '1tb -'],
  // Computers are built to order; nothing says which size is meant.
  ['MacBook Air M1 2020', null],
  ['iPhone 13 Pro 128GB', null],
])('"%s" without one size stands for %p', (model, base) => expect(baseOf({ model })).toBe(base))

test('a name that generations share means the one that was sold on the day of the price', () => {
  const day = '2018-09-28'
  expect(ask({ model: 'iphone-se', storage: '32' })).toBe('title_ambiguous')
  expect(ask({ model: 'iphone-se', storage: '32', day })).toBe('apple-iphone-se-1st-generation 32gb -')
  expect(ask({ model: 'iphone-se', storage: '64', day: '2021-01-01' })).toBe('title_ambiguous')
})

test('building it for the whole catalogue yields to the event loop many times', () => {
  let steps = 0
  for (const work = buildSubjectMatcher(bundledDevices()); !work.next().done; ) steps++
  expect(steps).toBeGreaterThan(50)
})

test('a size that leaves only the memory open counts as the smallest memory, whatever the phone cost', () => {
  const found = resolve({ ...nothing, model: 'Samsung Galaxy A52s 5G', storage: '128 GB' })
  expect(found).toMatchObject({ problem: 'storage_missing', base: { configuration: '6gb-128gb' } })
})
