import { expect, test } from 'bun:test'
import { exactPathRouter } from './exact-path-router.ts'

function routerOf(...paths: readonly string[]) {
  const router = exactPathRouter<string>()
  for (const path of paths) router.add('GET', path, path)
  return router
}

const handlersOf = (router: ReturnType<typeof routerOf>, path: string) =>
  router.match('GET', path)[0].map(([handler]) => handler)

test('an exact path is searched once, even beside a pattern that overlaps with it', () => {
  const router = routerOf('/api/appraisals/batch', '/api/appraisals/:id{[a-z]+}', '/api/appraisals/:id{[a-z]+}/outcome')
  const first = router.match('GET', '/api/appraisals/batch')
  expect(router.match('GET', '/api/appraisals/batch')).toBe(first)
  expect(handlersOf(router, '/api/appraisals/batch')[0]).toBe('/api/appraisals/batch')
})

test('patterns, wildcards and unknown paths are not remembered', () => {
  const router = routerOf('/files/*', '/api/devices/:id')
  for (const path of ['/files/a', '/api/devices/b', '/nothing']) {
    expect(router.match('GET', path)).not.toBe(router.match('GET', path))
  }
  expect(handlersOf(router, '/files/a')).toEqual(['/files/*'])
  expect(handlersOf(router, '/nothing')).toEqual([])
})

test('a route that is added later is found', () => {
  const router = routerOf('/a')
  router.match('GET', '/a')
  router.add('ALL', '/*', 'middleware')
  expect(handlersOf(router, '/a')).toContain('middleware')
})
