import { expect, test } from 'bun:test'
import { throttledFailureLog } from './failure-log.ts'

test('the first failure of a kind is logged at once, further ones every ten seconds with their number', () => {
  let now = 0
  const logged: [string, number][] = []
  const note = throttledFailureLog(
    ({ source, reason, times }) => logged.push([`${source}: ${reason}`, times]),
    () => now,
  )
  const fail = (source: string, reason: string) => note({ source, reason, identifier: '35693803•••••09' })
  fail('gsma', 'no connection')
  fail('gsma', 'no connection')
  fail('gsma', 'status 500')
  fail('carrier', 'no connection')
  now = 9_999
  fail('gsma', 'no connection')
  now = 10_000
  fail('gsma', 'no connection')
  expect(logged).toEqual([
    ['gsma: no connection', 1],
    ['gsma: status 500', 1],
    ['carrier: no connection', 1],
    ['gsma: no connection', 3],
  ])
})
