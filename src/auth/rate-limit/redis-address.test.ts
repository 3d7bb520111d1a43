import { expect, test } from 'bun:test'
import { parseRedisAddress } from './redis-address.ts'

test('one host, several, and sentinels with the name of the primary', () => {
  expect(parseRedisAddress('redis://:secret@cache:6379/2')).toEqual({
    urls: ['redis://:secret@cache:6379/2'],
    sentinelName: null,
    tls: {},
  })
  expect(parseRedisAddress('rediss://a:1,b:2?sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem')).toEqual({
    urls: ['rediss://a:1', 'rediss://b:2'],
    sentinelName: null,
    tls: { ca: '/ca.pem', cert: '/c.pem', key: '/k.pem' },
  })
  expect(parseRedisAddress('redis+sentinel://:secret@s1:26379,s2/limits')).toEqual({
    urls: ['redis://:secret@s1:26379/limits', 'redis://:secret@s2/limits'],
    sentinelName: 'limits',
    tls: {},
  })
})

test('other schemes, sentinels without a name and hosts that are none are no address', () => {
  for (const text of [
    'http://cache',
    'redis+sentinel://s1,s2',
    'redis+sentinel://s1/',
    'redis://a,,b',
    'redis://',
    'cache',
  ])
    expect(parseRedisAddress(text)).toBeUndefined()
})
