import { describe, expect, test } from 'bun:test'
import { ECB_RATES_URL } from '../../contract/currency.ts'
import { type FeedFormat, parseFeed } from './feed-settings.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const FORMATS: readonly FeedFormat[] = [
  { format: 'lists', options: { list: 'NAME', 'max-age-days': 'DAYS' }, flags: { clears: 'it clears' } },
  { format: 'observations', options: { currency: 'CODE', profile: 'NAME' } },
]
const RATES: FeedFormat = { format: 'rates' }
const read = (feed: Record<string, unknown>) => parseFeed(feed, { formats: [...FORMATS, RATES], now: NOW })
const STOLEN = { name: 'stolen', format: 'lists', url: 'https://lists.example/stolen.csv' }
const mistakesOf = (feed: Record<string, unknown>) => read({ ...STOLEN, ...feed }).errors

test('a minimal feed has defaults for the rest', () => {
  expect(read(STOLEN)).toMatchObject({
    feed: {
      name: 'stolen',
      format: 'lists',
      url: 'https://lists.example/stolen.csv',
      headers: {},
      options: {},
      schedule: null,
      timeoutMs: 300_000,
      maxBytes: 268_435_456,
      retries: 3,
      retryPauseMs: 5_000,
    },
    errors: [],
  })
})

test('a preset fills in every field, and own fields override it', () => {
  expect(read({ preset: 'ecb' }).feed).toMatchObject({
    name: 'ecb',
    format: 'rates',
    url: ECB_RATES_URL,
    schedule: { timeZone: 'Europe/Berlin' },
  })
  const mirror = { preset: 'ecb', name: 'mirror', url: 'https://rates.example/ecb.xml', schedule: '@daily' }
  expect(read(mirror).feed).toMatchObject({
    name: 'mirror',
    format: 'rates',
    url: 'https://rates.example/ecb.xml',
    schedule: { cron: '@daily' },
  })
  expect(read({ preset: 'fed' }).errors).toEqual(['preset: expected one of ecb'])
})

test('a feed with every field', () => {
  const feed = {
    name: 'market-hr',
    format: 'observations',
    url: 'https://market.example/ads.csv',
    headers: { Authorization: 'Bearer t1', Accept: 'text/csv' },
    profile: 'njuskalo',
    options: { currency: 'EUR' },
    schedule: '30 3 * * *',
    time_zone: 'Europe/Zagreb',
    timeout_ms: 60_000,
    max_bytes: 1_000_000,
    retries: 1,
    retry_pause_ms: 100,
  }
  expect(read(feed)).toMatchObject({
    feed: {
      url: 'https://market.example/ads.csv',
      headers: { Authorization: 'Bearer t1', Accept: 'text/csv' },
      options: { currency: 'EUR', profile: 'njuskalo' },
      schedule: { cron: '30 3 * * *', timeZone: 'Europe/Zagreb' },
    },
    errors: [],
  })
})

test('options of a format are texts or numbers, and true for flags', () => {
  const { feed, errors } = read({ ...STOLEN, options: { list: 'police', 'max-age-days': 7, clears: true } })
  expect(errors).toEqual([])
  expect(feed?.options).toEqual({ list: 'police', 'max-age-days': '7', clears: 'yes' })
})

test('the hash changes with settings that affect reading, not with a renewed secret', () => {
  const hashOf = (feed: Record<string, unknown>) => read({ ...STOLEN, ...feed }).feed?.settingsHash
  expect(hashOf({ headers: { Authorization: 'a' } })).toBe(hashOf({ headers: { Authorization: 'b' } }))
  expect(hashOf({ schedule: '@daily' })).toBe(hashOf({}))
  expect(hashOf({ options: { list: 'police' } })).not.toBe(hashOf({}))
  expect(hashOf({ url: 'https://lists.example/other.csv' })).not.toBe(hashOf({}))
})

describe('errors', () => {
  for (const [what, feed, ...expected] of [
    ['an unknown format', { format: 'prices' }, 'format: expected one of lists, observations, rates'],
    [
      'an option of another format',
      { options: { currency: 'EUR' } },
      'options.currency: the format lists has no such option',
    ],
    ['a flag with a value', { options: { clears: 'no' } }, 'options.clears: expected true'],
    ['an option without a value', { options: { list: true } }, 'options.list: expected a text or a number'],
    ['a profile of a format without profiles', { profile: 'x' }, 'profile: the format lists has no profiles'],
    [
      'an invalid cron expression',
      { schedule: 'daily at three' },
      /^schedule: expected cron text such as "30 3 \* \* \*": /,
    ],
    ['a minute out of range', { schedule: '61 * * * *' }, /^schedule: .*Invalid value for minute: 61/],
    ['a date that never occurs', { schedule: '0 3 31 2 *' }, 'schedule: it has no time in the future'],
    ['an unknown time zone', { time_zone: 'Nowhere/At-all' }, 'time_zone: expected a time zone such as Europe/Vilnius'],
    ['an unsupported scheme', { url: 'ftp://lists.example/a' }, 'url: expected an http or https address'],
    ['a password in the URL', { url: 'https://me:secret@lists.example/' }, /^url: expected an http or https address/],
    ['an invalid name', { name: 'Stolen list' }, /^name: expected lower-case letters/],
    ['an invalid header name', { headers: { 'X Key': '1' } }, 'headers.X Key: Invalid key in record'],
    ['a header value with a line break', { headers: { 'X-Key': 'a\nb' } }, /^headers.X-Key: /],
    ['an unknown field', { shedule: '@daily' }, 'Unrecognized key: "shedule"'],
    ['a timeout of zero', { timeout_ms: 0 }, /^timeout_ms: /],
    ['a path of this machine', { url: '/etc/passwd' }, 'url: expected an http or https address'],
    ['a placeholder in a header', { headers: { A: `\${TOKEN}` } }, 'headers.A: a placeholder: enter the secret itself'],
    [
      'a placeholder in the URL',
      { url: `https://lists.example/?key=\${TOKEN}` },
      'url: a placeholder: enter the secret itself',
    ],
  ] as const) {
    test(what, () => {
      expect(mistakesOf(feed)).toEqual(
        expected.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
      )
    })
  }

  test('of all fields are reported together', () => {
    expect(mistakesOf({ schedule: 'x', options: { nonsense: '1' }, retries: -1 })).toEqual([
      expect.stringMatching(/^retries: /),
      'options.nonsense: the format lists has no such option',
      expect.stringMatching(/^schedule: /),
    ])
  })
})
