import { expect, test } from 'bun:test'
import { invalid } from './errors.ts'

test.each([
  ['a text', '5', 'text was "5"; expected a title.'],
  ['a number', 5, 'text was 5; expected a title.'],
  ['a list', [1, 2], 'text was a list of 2 items; expected a title.'],
  ['nothing', null, 'text was null; expected a title.'],
  ['an object', { a: '5' }, 'text was {"a":"5"}; expected a title.'],
  ['a missing value', undefined, 'text is missing; expected a title.'],
])('an error shows %s as it was sent', (_, sent, message) => {
  expect(invalid('text', sent, 'a title')).toMatchObject({ message, details: [{ field: 'text', message }] })
})
