import { afterAll, describe, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { BROTLI_BOMB } from '../../../test/support/decompression-bomb.ts'
import { waitUntil } from '../../../test/support/wait.ts'
import { type Identifier, isInvalidIdentifier } from '../../identifier/identifier.ts'
import { parseIdentifier } from '../../identifier/identifier-parser.ts'
import { memorySourceCache } from './memory-source-cache.ts'
import { type CachedSourceFacts, type ProviderOptions, providerSource, type SourceCache } from './provider-service.ts'
import { parseProvider } from './provider-settings.ts'

const IMEI = '356938035643809'

function read(text: string): Identifier {
  const identifier = parseIdentifier(text)
  if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
  return identifier
}

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

/** A provider on a real socket; `requests` contains the received requests. */
function provider(answer: (request: Request, call: number) => Response | Promise<Response>) {
  const requests: { path: string; authorization: string | null }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 30,
    fetch(request) {
      requests.push({ path: new URL(request.url).pathname, authorization: request.headers.get('authorization') })
      return answer(request, requests.length)
    },
  })
  closing.push(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, requests }
}

async function rawProvider(talk: (socket: Socket) => void) {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => talk(socket))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closing.push(() => server.close())
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
}

const nothingBehind: SourceCache = { read: async () => null, write: () => {} }

function source(url: string, more: Record<string, unknown> = {}, options: Partial<ProviderOptions> = {}) {
  const failures: string[] = []
  const { provider: settings, mistakes } = parseProvider({
    name: 'gsma',
    speaks_for: ['blacklist', 'gsma', 'carrier_lock'],
    request: { url: `${url}/check/{identifier}`, headers: { Authorization: 'Bearer secret' } },
    answer: {
      identifier: 'device.imei',
      observed_at: 'seen',
      facts: {
        blacklist: {
          path: 'status',
          words: { OK: 'clean', BLOCKED: 'blacklisted', REVIEW: 'pending', NA: 'unknown' },
        },
        carrier_lock: { path: 'sim.locked', words: { true: 'locked', false: 'unlocked' }, required: false },
        carrier_name: { path: 'sim.carrier' },
      },
      findings: {
        reported_lost_stolen: { path: 'reasons', words: ['stolen', 'lost'] },
        activation_lock: { path: 'fmi', words: [true, 'on'] },
      },
    },
    timeout_ms: 600,
    breaker: { failures: 3, pause_ms: 300 },
    ...more,
  })
  if (!settings) throw new Error(mistakes.join('\n'))
  const made = providerSource(settings, {
    cache: memorySourceCache(nothingBehind),
    now: Date.now,
    onFailure: ({ reason, identifier }) => {
      failures.push(reason)
      expect(identifier).not.toContain(IMEI.slice(8, 13))
    },
    ...options,
  })
  return { ask: (text = IMEI) => made.lookUp(read(text), Date.now()), failures }
}

const good = (more: object = {}) => Response.json({ device: { imei: IMEI }, status: 'ok', ...more })
const DOWN = { state: 'unavailable', source: 'gsma' } as const

describe('a valid provider', () => {
  test('is queried once with its secret, and its values are mapped to facts', async () => {
    const { url, requests } = provider(() =>
      good({
        status: 'Blocked',
        reasons: ['Stolen', 'x'],
        fmi: 'ON',
        sim: { locked: true, carrier: 'Alpha\u0000Mobile ' },
        seen: '2026-01-02T00:00:00Z',
      }),
    )
    const observedAt = Date.UTC(2026, 0, 2)
    expect(await source(url).ask('35-693803-564380-0')).toEqual({
      state: 'answered',
      source: 'gsma',
      facts: {
        blacklist: 'blacklisted',
        gsma: null,
        ctia: null,
        carrierLock: 'locked',
        carrierName: 'Alpha Mobile',
        findings: [
          { code: 'reported_lost_stolen', observedAt },
          { code: 'activation_lock', observedAt },
        ],
        evidenceId: null,
      },
      ageMs: null,
      isStale: false,
    })
    expect(requests).toEqual([{ path: `/check/${IMEI}`, authorization: 'Bearer secret' }])
  })

  test('names the list it clears by, or itself if there is none', async () => {
    const { url } = provider(() => good())
    const before = Date.now()
    const named = await source(url, { list: 'national register', area: 'GB' }).ask()
    expect(named).toMatchObject({
      clearances: [{ source: 'gsma', list: 'national register', area: 'GB', entries: null }],
    })
    const updatedAt = named?.state === 'answered' ? named.clearances?.[0]?.updatedAt : undefined
    expect(updatedAt).toBeGreaterThanOrEqual(before)
    expect(await source(url).ask()).toMatchObject({ clearances: [{ source: 'gsma', list: null, area: null }] })
  })

  test('may omit the name of a carrier, unless the mapping requires it', async () => {
    const { url } = provider(() => good())
    const mapped = (required: boolean) => ({
      answer: { facts: { carrier_name: { path: 'sim.carrier', required } } },
    })
    expect(await source(url, mapped(false)).ask()).toMatchObject({ facts: { carrierName: null } })
    expect(await source(url, mapped(true)).ask()).toEqual(DOWN)
  })

  test('gets a body if the mapping has one', async () => {
    const bodies: unknown[] = []
    const { url } = provider(async (request) => {
      bodies.push(await request.json())
      return good()
    })
    const request = { method: 'POST', url, body: { query: { imei: '{identifier}', key: '{key}' }, n: 1 } }
    expect(await source(url, { request }).ask()).toMatchObject({ state: 'answered' })
    expect(bodies).toEqual([{ query: { imei: IMEI, key: '35693803564380' }, n: 1 }])
  })

  test('is not queried for unsupported identifiers', async () => {
    const { url, requests } = provider(() => good())
    expect(await source(url).ask('C8QH6T96DPNG')).toBeNull()
    expect(requests).toHaveLength(0)
  })

  test('may mean "not listed" by 404 if the mapping says so', async () => {
    const { url } = provider(() => new Response('no', { status: 404 }))
    expect(await source(url).ask()).toEqual(DOWN)
    const answer = { not_found: { blacklist: 'clean' } }
    expect(await source(url, { answer }).ask()).toMatchObject({ state: 'answered', facts: { blacklist: 'clean' } })
  })

  test('is queried once for identical lookups in flight, and cached afterwards', async () => {
    const allAsked = Promise.withResolvers<void>()
    const { url, requests } = provider(async () => {
      await allAsked.promise
      return good()
    })
    let now = 1_000_000
    const { ask } = source(url, { timeout_ms: 10_000 }, { now: () => now })
    const lookups = Array.from({ length: 20 }, () => ask())
    allAsked.resolve()
    const answers = await Promise.all(lookups)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    now += 7 * 60_000
    expect(await ask()).toMatchObject({ state: 'answered', ageMs: 7 * 60_000, isStale: false })
    expect(requests).toHaveLength(1)
    now += 60 * 60_000
    expect(await ask()).toMatchObject({ ageMs: null })
    expect(requests).toHaveLength(2)
  })
})

describe('a failing provider', () => {
  test('is retried once', async () => {
    const { url, requests } = provider((_, call) => (call === 1 ? new Response('', { status: 500 }) : good()))
    expect(await source(url).ask()).toMatchObject({ state: 'answered', facts: { blacklist: 'clean' } })
    expect(requests).toHaveLength(2)
  })

  test('returns its cached response, marked stale, until that is too old', async () => {
    let now = 1_000_000
    const { url } = provider((_, call) => (call === 1 ? good() : new Response('', { status: 503 })))
    const { ask } = source(url, { stale_minutes: 120 }, { now: () => now })
    await ask()
    now += 90 * 60_000
    expect(await ask()).toMatchObject({ state: 'answered', isStale: true, ageMs: 90 * 60_000 })
    now += 31 * 60_000
    expect(await ask()).toEqual(DOWN)
  })

  test('is replaced by facts cached in the database after a restart', async () => {
    const stored = new Map<string, CachedSourceFacts>()
    const behind: SourceCache = {
      read: async (name, key) => stored.get(name + key) ?? null,
      write: (name, key, cached) => stored.set(name + key, cached),
    }
    const { url } = provider((_, call) => (call === 1 ? good() : new Response('', { status: 503 })))
    await source(url, {}, { cache: memorySourceCache(behind) }).ask()
    expect(await source(url, {}, { cache: memorySourceCache(behind) }).ask()).toMatchObject({
      state: 'answered',
      isStale: false,
    })
    expect(stored.size).toBe(1)
  })

  for (const [why, answer] of [
    ['names another device', () => good({ device: { imei: '490154203237518' } })],
    ['does not name the device', () => good({ device: {} })],
    ['uses an unmapped value', () => good({ status: 'purple' })],
    ['omits the status', () => Response.json({ device: { imei: IMEI } })],
    ['returns an array', () => Response.json([good])],
    ['returns something other than JSON', () => new Response('<html>')],
    ['returns nothing', () => new Response('')],
    ['refuses', () => new Response('{}', { status: 403 })],
    ['has its own rate limit', () => new Response('{}', { status: 429 })],
    ['sends a decompression bomb', () => new Response(BROTLI_BOMB, { headers: { 'Content-Encoding': 'br' } })],
    ['sends too much', () => Response.json({ device: { imei: IMEI }, status: 'ok', fill: 'x'.repeat(300_000) })],
  ] as const) {
    test(`that ${why} is rejected and not retried`, async () => {
      const { url, requests } = provider(answer)
      // A response that takes too long on a busy machine is retried.
      expect(await source(url, { timeout_ms: 10_000 }).ask()).toEqual(DOWN)
      expect(requests).toHaveLength(1)
    })
  }

  test('that redirects is not followed', async () => {
    const elsewhere = provider(() => good())
    const { url } = provider(() => Response.redirect(`${elsewhere.url}/x`, 302))
    expect(await source(url).ask()).toEqual(DOWN)
    expect(elsewhere.requests).toHaveLength(0)
  })

  test('that hangs times out after its budget, which two attempts share', async () => {
    let calls = 0
    const { url } = await rawProvider(() => void calls++)
    // Long enough for both attempts on a busy machine.
    const { ask, failures } = source(url, { timeout_ms: 2_400 })
    expect(await ask()).toEqual(DOWN)
    expect(calls).toBe(2)
    expect(failures).toEqual([expect.stringMatching(/timed out/)])
  })

  test('that never ends its response times out after its budget', async () => {
    const { url } = await rawProvider((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n')
      const drip = setInterval(() => socket.write('1\r\n \r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const { ask, failures } = source(url)
    expect(await ask()).toEqual(DOWN)
    expect(failures).toEqual([expect.stringMatching(/timed out/)])
  })

  test('that sends without end is cut off at the limit', async () => {
    let sent = 0
    const { url } = await rawProvider((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"')
      const chunk = Buffer.alloc(64 * 1024, 'x')
      const pour = () => {
        while (!socket.destroyed && sent < 100_000_000) {
          sent += chunk.length
          if (!socket.write(chunk)) {
            socket.once('drain', pour)
            return
          }
        }
      }
      pour()
    })
    const { ask, failures } = source(url)
    expect(await ask()).toEqual(DOWN)
    expect(failures).toEqual([expect.stringMatching(/^the response is larger than \d+ bytes$/)])
    expect(sent).toBeLessThan(20_000_000)
  })

  test('that closes the connection early is retried', async () => {
    let calls = 0
    const { url } = await rawProvider((socket) => {
      calls++
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"dev')
      socket.destroy()
    })
    expect(await source(url).ask()).toEqual(DOWN)
    expect(calls).toBe(2)
  })

  test('that fails repeatedly is paused by the circuit breaker, then tried again', async () => {
    let up = false
    const { url, requests } = provider(() => (up ? good() : new Response('', { status: 500 })))
    const uncached = { cache_minutes: 0, stale_minutes: 0 }
    const { ask } = source(url, { ...uncached, breaker: { failures: 3, pause_ms: 60_000 } })
    for (let at = 0; at < 10; at++) expect(await ask()).toEqual(DOWN)
    expect(requests.length).toBeLessThanOrEqual(4)
    const { ask: askAgain } = source(url, { ...uncached, breaker: { failures: 3, pause_ms: 100 } })
    for (let at = 0; at < 3; at++) expect(await askAgain()).toEqual(DOWN)
    up = true
    await waitUntil(async () => (await askAgain())?.state === 'answered', { describe: 'the provider to be tried' })
  })

  test('never has the identifier in the failure reason', async () => {
    const { ask, failures } = source('http://127.0.0.1:1')
    expect(await ask()).toEqual(DOWN)
    expect(failures.join()).not.toContain('35693803')
  })
})
