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
  [{ variantId: 'no-such' }, 'unknown variant'],
  [{ sku: 'apple-iphone-13-pro-128gb-gold' }, 'apple-iphone-13-pro 128gb apple-iphone-13-pro-128gb-gold'],
  [{ partNumber: 'MLVC3LL/A' }, 'apple-iphone-13-pro 128gb apple-iphone-13-pro-128gb-gold'],
  [{ partNumber: 'ZZZZ9' }, 'unknown part number'],
  [{ make: 'Apple', model: 'iPhone 13 Pro', storage: '128' }, 'apple-iphone-13-pro 128gb -'],
  [{ make: 'apple', model: 'iphone 13 pro', storage: '1 TB' }, 'apple-iphone-13-pro 1tb -'],
  [{ model: 'Apple iPhone 13 Pro 256GB' }, 'apple-iphone-13-pro 256gb -'],
  [{ model: 'iPhone 13 Pro 256GB Unlocked Gold' }, 'apple-iphone-13-pro 256gb apple-iphone-13-pro-256gb-gold'],
  [
    { make: 'Apple', model: 'iPhone 13 Pro', storage: '128GB', color: 'Sierra Blue' },
    'apple-iphone-13-pro 128gb apple-iphone-13-pro-128gb-sierra-blue',
  ],
  [{ make: 'Apple', model: 'iPhone 13 Pro', storage: '64GB' }, 'the model has no such storage'],
  [{ make: 'Apple', model: 'iPhone 13 Pro', storage: 'lots' }, 'storage is not a size'],
  [{ make: 'Apple', model: 'iPhone 13 Pro' }, 'storage size missing'],
  [{ make: 'Apple', model: 'iPhone 99', storage: '128GB' }, 'unknown model'],
  [{ model: 'Galaxy Z Flip 99 256GB' }, 'unknown model'],
  [{ make: 'Apple', model: 'Case for iPhone 13 Pro' }, 'an accessory, not a device'],
  [{ model: 'iPhone 13 Pro 128GB for parts' }, 'apple-iphone-13-pro 128gb -'],
  [{ model: 'iPhone 13 Pro 128GB iCloud locked' }, 'locked to an account or blacklisted'],
  [{ model: 'iPhone 13 Pro 128GB untested' }, 'sold for parts or untested'],
  [{ model: 'iphone 13 pro 128gb ne radi' }, 'apple-iphone-13-pro 128gb -'],
  [{ model: '아이폰 13 프로 128기가 액정파손' }, 'apple-iphone-13-pro 128gb -'],
  [{ model: 'iPhone 13 Pro 128GB 256GB' }, 'several storage sizes at one price'],
  [{ make: 'Samsung', model: 'iPhone 13 Pro', storage: '128GB' }, 'the title names another make than the make column'],
  [{}, 'the row names no variant, SKU, part number or model'],
] as const) {
  test(`${JSON.stringify(named)} is ${expected}`, () => expect(ask(named)).toBe(expected))
}

test('building it for the whole catalogue yields to the event loop many times', () => {
  let steps = 0
  for (const work = buildSubjectMatcher(bundledDevices()); !work.next().done; ) steps++
  expect(steps).toBeGreaterThan(50)
})
