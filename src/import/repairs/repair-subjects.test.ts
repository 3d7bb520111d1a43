import { expect, test } from 'bun:test'
import { createRepairSubjectFinder } from './repair-subjects.ts'

const finder = createRepairSubjectFinder(
  [
    { id: 'apple-iphone-6s', make: 'Apple', name: 'iPhone 6s', category: 'Smartphone' },
    { id: 'apple-iphone-se-1st-generation', make: 'Apple', name: 'iPhone SE (1st generation)', category: 'Smartphone' },
    { id: 'samsung-galaxy-s7-edge', make: 'Samsung', name: 'Galaxy S7 edge', category: 'Smartphone' },
    { id: 'acme-one', make: 'Acme', name: 'One', category: 'Smartphone' },
    { id: 'other-one', make: 'Other', name: 'One', category: 'Smartphone' },
    { id: 'apple-ipad-air', make: 'Apple', name: 'iPad Air', category: 'Tablet' },
  ],
  [
    { id: 'apple-iphone', make: 'Apple', category: 'Smartphone', prefixes: ['iPhone'] },
    { id: 'samsung-galaxy-s', make: 'Samsung', category: 'Smartphone', prefixes: ['Galaxy S'] },
  ],
)

test.each([
  ['Apple', 'iPhone 6s', 'apple-iphone-6s'],
  ['apple', 'iphone6S', 'apple-iphone-6s'],
  ['Apple', '6S', 'apple-iphone-6s'],
  ['Samsung', 'S7 Edge', 'samsung-galaxy-s7-edge'],
  ['', 'Samsung Galaxy S7 Edge', 'samsung-galaxy-s7-edge'],
  ['Acme', 'One', 'acme-one'],
  ['', 'One', undefined],
  ['Apple', 'iPhone SE', undefined],
  ['Apple', 'Smartphone', undefined],
  ['Apple', '', undefined],
] as const)('%p %p is %p', (make, name, id) => {
  expect(finder.findDevice(make, name)?.id).toBe(id as string)
})

test('a name that is not a device may be a line or a category', () => {
  expect(finder.findSubject('Apple iPhone 6s')).toEqual({ level: 'device', subject: 'apple-iphone-6s' })
  expect(finder.findSubject('iPhone')).toEqual({ level: 'line', subject: 'apple-iphone' })
  expect(finder.findSubject('Samsung Galaxy S')).toEqual({ level: 'line', subject: 'samsung-galaxy-s' })
  expect(finder.findSubject('Tablets')).toEqual({ level: 'category', subject: 'tablet' })
  expect(finder.findSubject('Toaster')).toBeNull()
})

test('a device of another category does not match', () => {
  expect(finder.findDevice('Apple', 'iPad Air', 'smartphone')).toBeNull()
  expect(finder.findDevice('Apple', 'iPad Air', 'tablet')?.id).toBe('apple-ipad-air')
})
