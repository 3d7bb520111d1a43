import { describe, expect, test } from 'bun:test'
import { ECB_RATES_URL } from '../../contract/currency.ts'
import { type FeedFormat, parseFeedFile } from './feed-settings.ts'

/** A placeholder as an operator writes it: `\${NAME}`. */
const fromEnvironment = (name: string) => `\${${name}}`
const NOW = Date.UTC(2026, 0, 15, 12)
const FORMATS: readonly FeedFormat[] = [
  { format: 'lists', options: { list: 'NAME', 'max-age-days': 'DAYS' }, flags: { clears: 'it clears' } },
  { format: 'observations', options: { currency: 'CODE', profile: 'NAME' } },
]
const read = (document: unknown, environment: Record<string, string> = {}) =>
  parseFeedFile(typeof document === 'string' ? document : JSON.stringify(document), {
    formats: [...FORMATS, RATES],
    environment,
    now: NOW,
  })
const RATES: FeedFormat = { format: 'rates' }
const STOLEN = { name: 'stolen', format: 'lists', url: 'https://lists.example/stolen.csv' }
const mistakesOf = (feed: Record<string, unknown>) => read({ feeds: [{ ...STOLEN, ...feed }] }).errors

test('a minimal feed has defaults for the rest', () => {
  const { feeds, errors: errorMessages } = read({ feeds: [STOLEN] })
  expect(errorMessages).toEqual([])
  expect(feeds).toMatchObject([
    {
      name: 'stolen',
      format: 'lists',
      address: 'https://lists.example/stolen.csv',
      headers: {},
      options: {},
      schedule: null,
      timeoutMs: 300_000,
      maxBytes: 268_435_456,
      retries: 3,
      retryPauseMs: 5_000,
    },
  ])
})

test('a preset fills in every field, and own fields override it', () => {
  const { feeds, errors } = read({
    feeds: [
      { preset: 'ecb' },
      { preset: 'ecb', name: 'mirror', url: 'https://rates.example/ecb.xml', schedule: '@daily' },
    ],
  })
  expect(errors).toEqual([])
  expect(feeds).toMatchObject([
    { name: 'ecb', format: 'rates', url: ECB_RATES_URL, schedule: { timeZone: 'Europe/Berlin' } },
    { name: 'mirror', format: 'rates', url: 'https://rates.example/ecb.xml', schedule: { cron: '@daily' } },
  ])
  expect(read({ feeds: [{ preset: 'fed' }] }).errors).toEqual(['feed 1: preset: expected one of ecb'])
})

test('a feed with every field', () => {
  const feed = {
    name: 'market-hr',
    format: 'observations',
    url: `https://market.example/ads.csv?key=${fromEnvironment('MARKET_KEY')}`,
    headers: { Authorization: `Bearer ${fromEnvironment('MARKET_TOKEN')}`, Accept: 'text/csv' },
    profile: 'njuskalo',
    options: { currency: 'EUR' },
    schedule: '30 3 * * *',
    time_zone: 'Europe/Zagreb',
    timeout_ms: 60_000,
    max_bytes: 1_000_000,
    retries: 1,
    retry_pause_ms: 100,
  }
  const { feeds, errors: errorMessages } = read({ feeds: [feed] }, { MARKET_KEY: 'k1', MARKET_TOKEN: 't1' })
  expect(errorMessages).toEqual([])
  expect(feeds).toMatchObject([
    {
      address: `https://market.example/ads.csv?key=${fromEnvironment('MARKET_KEY')}`,
      url: 'https://market.example/ads.csv?key=k1',
      headers: { Authorization: 'Bearer t1', Accept: 'text/csv' },
      options: { currency: 'EUR', profile: 'njuskalo' },
      schedule: { cron: '30 3 * * *', timeZone: 'Europe/Zagreb' },
    },
  ])
})

test('options of a format are texts or numbers, and true for flags', () => {
  const { feeds, errors: errorMessages } = read({
    feeds: [{ ...STOLEN, options: { list: 'police', 'max-age-days': 7, clears: true } }],
  })
  expect(errorMessages).toEqual([])
  expect(feeds[0]?.options).toEqual({ list: 'police', 'max-age-days': '7', clears: 'yes' })
})

test('the hash changes with settings that affect reading, not with a renewed secret', () => {
  const hashOf = (feed: Record<string, unknown>, environment: Record<string, string> = {}) =>
    read({ feeds: [{ ...STOLEN, ...feed }] }, environment).feeds[0]?.settingsHash
  const headers = { Authorization: fromEnvironment('TOKEN') }
  expect(hashOf({ headers }, { TOKEN: 'a' })).toBe(hashOf({ headers }, { TOKEN: 'b' }))
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
    [
      'an unsupported scheme',
      { url: 'ftp://lists.example/a' },
      'url: expected an http or https address or the path of a file',
    ],
    ['a password in the URL', { url: 'https://me:secret@lists.example/' }, /^url: expected an http or https address/],
    ['an invalid name', { name: 'Stolen list' }, /^name: expected lower-case letters/],
    ['an invalid header name', { headers: { 'X Key': '1' } }, 'headers.X Key: Invalid key in record'],
    ['a header value with a line break', { headers: { 'X-Key': 'a\nb' } }, /^headers.X-Key: /],
    ['an unknown field', { shedule: '@daily' }, 'Unrecognized key: "shedule"'],
    ['a timeout of zero', { timeout_ms: 0 }, /^timeout_ms: /],
    ['a missing secret', { headers: { A: fromEnvironment('NO_TOKEN') } }, /^environment variable NO_TOKEN is not set/],
  ] as const) {
    test(what, () => {
      const name = (feed as { name?: string }).name ?? 'stolen'
      const messages = mistakesOf(feed).map((mistake) => mistake.replace(`feed ${name}: `, ''))
      expect(messages).toEqual(expected.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))))
    })
  }

  test('of all feeds are reported together, each with its feed', () => {
    const { feeds, errors: errorMessages } = read({
      feeds: [
        {
          ...STOLEN,
          schedule: 'x',
          options: { nonsense: '1' },
          retries: -1,
          headers: { A: fromEnvironment('NO_TOKEN') },
        },
        { format: 'lists', url: 'https://lists.example/' },
        { ...STOLEN },
        { ...STOLEN, name: 'fine' },
      ],
    })
    expect(feeds.map(({ name }) => name)).toEqual(['stolen', 'fine'])
    expect(errorMessages).toEqual([
      expect.stringMatching(/^feed stolen: retries: /),
      'feed stolen: options.nonsense: the format lists has no such option',
      expect.stringMatching(/^feed stolen: schedule: /),
      'feed stolen: environment variable NO_TOKEN is not set, but a header or the URL uses it',
      expect.stringMatching(/^feed 2: name: /),
      'feed stolen: duplicate name',
    ])
  })

  test('in a file that is not a feeds file', () => {
    expect(read('{"feeds": [').errors).toEqual([expect.stringMatching(/^it is not JSON: /)])
    expect(read([]).errors).toEqual([expect.stringMatching(/^the file: /)])
    expect(read({ feeds: ['stolen'] }).errors).toEqual([expect.stringMatching(/^feeds\.0: /)])
    expect(read({ sources: [] }).errors).toHaveLength(2)
  })

  test('a secret with a line break is not allowed in a header and not shown', () => {
    const { errors: errorMessages } = read(
      { feeds: [{ ...STOLEN, headers: { A: fromEnvironment('T') } }] },
      { T: 'abc\r\nX: y' },
    )
    expect(errorMessages).toEqual(['feed stolen: headers.A: the value from the environment is not allowed in a header'])
  })
})

test('a feed whose secret is missing can still be listed', () => {
  const { feeds, errors: errorMessages } = read({ feeds: [{ ...STOLEN, headers: { A: fromEnvironment('NO_TOKEN') } }] })
  expect(feeds).toHaveLength(1)
  expect(errorMessages).toHaveLength(1)
})
