import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pageMeta } from '../contract/paging.ts'
import { type PreparedResponse, prepareResponse } from './prepared-response.ts'

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const plain = (response: PreparedResponse, at: number) => response.body('identity', at).text()
const gunzipped = async (response: PreparedResponse, at: number) =>
  gunzipSync(await response.body('gzip', at).bytes()).toString()
const unbrotlied = async (response: PreparedResponse, at: number) =>
  brotliDecompressSync(await response.body('br', at).bytes()).toString()

describe('a prepared response', () => {
  const devices = Array.from({ length: 200 }, (_, i) => ({ id: `device-${i}`, name: `Gerät ${i}` }))
  const meta = (page: number) => pageMeta(page, 20, 200)
  const response = prepareResponse(devices, meta(1))

  test('is the envelope with data, meta and the current time', async () => {
    expect(JSON.parse(await plain(response, now))).toEqual({
      success: true,
      data: devices,
      meta: meta(1),
      timestamp: '2026-01-02T03:04:05Z',
    })
  })

  test('has no meta if none was given', async () => {
    expect(await plain(prepareResponse({ a: 1 }), now)).toBe(
      '{"success":true,"data":{"a":1},"timestamp":"2026-01-02T03:04:05Z"}',
    )
  })

  for (const at of [now, now + 1, now + 86_400_000]) {
    test(`is the same in gzip and brotli as uncompressed at ${at - now} ms`, async () => {
      expect(await gunzipped(response, at)).toBe(await plain(response, at))
      expect(await unbrotlied(response, at)).toBe(await plain(response, at))
    })
  }

  test('is the same in gzip and brotli as uncompressed, at any length', async () => {
    const long = prepareResponse(Array.from({ length: 40_000 }, (_, i) => ({ id: `device-${i}`, at: i * 7 })))
    expect(long.bytes).toBeGreaterThan(1_000_000)
    expect(await gunzipped(long, now)).toBe(await plain(long, now))
    expect(await unbrotlied(long, now)).toBe(await plain(long, now))
  })

  test('has one body for a whole second', () => {
    const second = response.body('identity', now)
    expect(response.body('identity', now + 321)).toBe(second)
    expect(response.body('identity', now + 322)).not.toBe(second)
    expect(second.size).toBe(response.bytes)
  })

  test('is smaller when compressed', () => {
    expect(response.body('gzip', now).size).toBeLessThan(response.body('identity', now).size / 4)
    expect(response.body('br', now).size).toBeLessThan(response.body('identity', now).size / 4)
  })

  test('keeps its ETag over time and changes it with the data', () => {
    expect(prepareResponse(devices, meta(1)).etag).toBe(response.etag)
    expect(prepareResponse(devices, meta(2)).etag).not.toBe(response.etag)
  })
})
