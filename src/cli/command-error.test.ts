import { expect, test } from 'bun:test'
import { conflict, noSuch, notFound } from '../errors.ts'
import { asCommandError } from './command-error.ts'

test('a thing that is not there comes with the command that shows those that are', () => {
  expect(asCommandError(noSuch('key', 'key_x'))).toMatchObject({
    message: 'There is no key key_x. "key list --org ID" shows those there are.',
    exitCode: 1,
  })
  expect(asCommandError(noSuch('organization', 'org_x')).message).toContain('"org list"')
})

test('any other refusal is said as it stands', () => {
  for (const error of [conflict('key', 'The key is revoked.'), notFound('The lookup')]) {
    expect(asCommandError(error)).toMatchObject({ message: error.message, exitCode: 1 })
  }
})
