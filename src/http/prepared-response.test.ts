import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type PreparedResponse, prepareResponse } from './prepared-response.ts'

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const plain = (response: PreparedResponse, at: number) => text(response.body('identity', at))

describe('a prepared response', () => {
  const devices = JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ id: `device-${i}`, name: `Gerät ${i}` })))
  const response = prepareResponse(devices, '{"page":1}')

  test('is the envelope with data, meta and the current time', () => {
    expect(JSON.parse(plain(response, now))).toEqual({
      success: true,
      data: JSON.parse(devices),
      meta: { page: 1 },
      timestamp: '2026-01-02T03:04:05.678Z',
    })
  })

  test('has no meta if none was given', () => {
    expect(plain(prepareResponse('{"a":1}'), now)).toBe(
      '{"success":true,"data":{"a":1},"timestamp":"2026-01-02T03:04:05.678Z"}',
    )
  })

  for (const at of [now, now + 1, now + 86_400_000]) {
    test(`is the same in gzip and brotli as uncompressed at ${at - now} ms`, () => {
      expect(text(gunzipSync(response.body('gzip', at)))).toBe(plain(response, at))
      expect(text(brotliDecompressSync(response.body('br', at)))).toBe(plain(response, at))
    })
  }

  test('is the same in gzip and brotli as uncompressed, at any length', () => {
    const long = prepareResponse(
      JSON.stringify(Array.from({ length: 40_000 }, (_, i) => ({ id: `device-${i}`, at: i * 7 }))),
    )
    expect(long.head.length).toBeGreaterThan(1_000_000)
    expect(text(gunzipSync(long.body('gzip', now)))).toBe(plain(long, now))
    expect(text(brotliDecompressSync(long.body('br', now)))).toBe(plain(long, now))
  })

  test('is smaller when compressed', () => {
    expect(response.body('gzip', now).length).toBeLessThan(response.body('identity', now).length / 4)
    expect(response.body('br', now).length).toBeLessThan(response.body('identity', now).length / 4)
  })

  test('keeps its ETag over time and changes it with the data', () => {
    expect(prepareResponse(devices, '{"page":1}').etag).toBe(response.etag)
    expect(prepareResponse(devices, '{"page":2}').etag).not.toBe(response.etag)
  })
})
