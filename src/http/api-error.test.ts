import { expect, test } from 'bun:test'
import { conflict, DOMAIN_CODES, DomainError, invalid, unavailable, unknownId } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { ApiError, isExpectedError, toApiError } from './api-error.ts'

for (const [why, error, status, code] of [
  ['an unknown id', unknownId('key', 'key_x'), 404, 'NOT_FOUND'],
  ['an invalid value', invalid('days', 'x', 'a number'), 400, 'VALIDATION_ERROR'],
  ['a conflicting state', conflict('id', 'The key is revoked.', reason('key_revoked')), 400, 'VALIDATION_ERROR'],
  ['a busy database', unavailable('The database is busy.', 1), 503, 'SERVICE_UNAVAILABLE'],
] as const) {
  test(`${why} is ${status} ${code} with the same message`, () => {
    expect(toApiError(error)).toMatchObject({ status, code, message: error.message })
    expect(isExpectedError(error)).toBe(true)
  })
}

test('VALIDATION_ERROR always has details, other codes never', () => {
  for (const code of DOMAIN_CODES) {
    for (const details of [[], [{ field: 'id', message: 'no' }]]) {
      const refusal = toApiError(new DomainError(code, 'no', reason('technical'), details))
      expect(refusal.details.length > 0).toBe(refusal.code === 'VALIDATION_ERROR')
    }
  }
})

test('an unavailable error has Retry-After', () => {
  expect(toApiError(unavailable('The database is busy.', 2)).headers).toEqual({ 'Retry-After': '2' })
})

test('an unexpected error reveals nothing to the caller', () => {
  const bug = new TypeError('secrets of the house')
  expect(isExpectedError(bug)).toBe(false)
  expect(toApiError(bug)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR', cause: bug })
  expect(toApiError(bug).message).not.toContain('secrets')
})

test('an ApiError stays unchanged', () => {
  const refusal = new ApiError('UNAUTHORIZED', 'Sign in first.', reason('sign_in_needed'))
  expect(toApiError(refusal)).toBe(refusal)
})
