import { expect, test } from 'bun:test'
import { conflict, invalid, notFound, unknownId } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { toCommandError } from './command-error.ts'

test('an unknown id comes with the command that lists the known ones', () => {
  expect(toCommandError(unknownId('key', 'key_x'))).toMatchObject({
    message: 'There is no key key_x. "key list --org ID" shows all keys.',
    exitCode: 1,
  })
  expect(toCommandError(unknownId('organization', 'org_x')).message).toContain('"org list"')
})

test('other errors are printed unchanged', () => {
  for (const error of [conflict('key', 'The key is revoked.', reason('key_revoked')), notFound('The lookup')]) {
    expect(toCommandError(error)).toMatchObject({ message: error.message, exitCode: 1 })
  }
})

test('an invalid option value is a usage error', () => {
  const error = invalid('kind', 'lost', 'stolen or barred')
  expect(toCommandError(error, ['list', 'kind'])).toMatchObject({
    message: '--kind was "lost"; expected stolen or barred.',
    exitCode: 2,
  })
  expect(toCommandError(error)).toMatchObject({ message: error.message, exitCode: 1 })
})

test('a list that shrank comes with the option that imports it anyway', () => {
  expect(
    toCommandError(conflict('shrinking list', 'Half of it would go.', reason('list_shrinks', { list: 'stolen' })))
      .message,
  ).toBe('Half of it would go. If that is right, run it again with --accept-shrink.')
})
