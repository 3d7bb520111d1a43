import { expect, test } from 'bun:test'
import { fillPlaces, placesIn, routerPath } from './path.ts'

test('what stands in the places of a path is found by name', () => {
  expect(placesIn('/api/appraisals/{id}', '/api/appraisals/apr_01')).toEqual({ id: 'apr_01' })
  expect(placesIn('/api/{kind}/of/{id}', '/api/things/of/a_b-c')).toEqual({ kind: 'things', id: 'a_b-c' })
  expect(placesIn('/api/devices', '/api/devices')).toEqual({})
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
  test(`${address} is not of the form`, () => {
    expect(placesIn('/api/appraisals/{id}', address)).toBeUndefined()
  })
}

test('a path is filled with what it is given', () => {
  expect(fillPlaces('/api/appraisals/{id}', { id: 'apr_01' })).toBe('/api/appraisals/apr_01')
  expect(fillPlaces('/api/devices', {})).toBe('/api/devices')
})

test('the router is told what can stand in a place', () => {
  expect(routerPath('/api/appraisals/{id}')).toBe('/api/appraisals/:id{[A-Za-z0-9_-]+}')
})
