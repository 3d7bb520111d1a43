import { expect, test } from 'bun:test'
import { fillPath, matchPath, toRouterPath } from './path-template.ts'

test('path parameters are found by name', () => {
  expect(matchPath('/api/appraisals/{id}', '/api/appraisals/apr_01')).toEqual({ id: 'apr_01' })
  expect(matchPath('/api/{kind}/of/{id}', '/api/things/of/a_b-c')).toEqual({ kind: 'things', id: 'a_b-c' })
  expect(matchPath('/api/devices', '/api/devices')).toEqual({})
})

for (const address of [
  '/api/appraisals/',
  '/api/appraisals',
  '/api/appraisals/a/b',
  '/api/appraisals/a%62',
  '/api/appraisals/a b',
  '/api/appraisals/a.json',
  '/api/appraisalsX/a',
  '/API/appraisals/a',
]) {
  test(`${address} does not match`, () => {
    expect(matchPath('/api/appraisals/{id}', address)).toBeUndefined()
  })
}

test('a path is built from its parameters', () => {
  expect(fillPath('/api/appraisals/{id}', { id: 'apr_01' })).toBe('/api/appraisals/apr_01')
  expect(fillPath('/api/devices', {})).toBe('/api/devices')
})

test('the router path restricts the characters of each parameter', () => {
  expect(toRouterPath('/api/appraisals/{id}')).toBe('/api/appraisals/:id{[A-Za-z0-9_-]+}')
})
