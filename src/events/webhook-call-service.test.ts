import { afterAll, expect, test } from 'bun:test'
import { BROTLI_BOMB, gzipBomb } from '../../test/support/decompression-bomb.ts'
import { callWebhook } from './webhook-call-service.ts'

const BODIES: Record<string, Uint8Array<ArrayBuffer>> = { br: BROTLI_BOMB, gzip: gzipBomb() }
const acceptedEncodings = new Set<string | null>()
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    acceptedEncodings.add(request.headers.get('accept-encoding'))
    const encoding = new URL(request.url).pathname.slice(1)
    if (encoding === 'endless') return endless()
    return new Response(BODIES[encoding], { headers: { 'Content-Encoding': encoding } })
  },
})
afterAll(() => void receiver.stop(true))

const MEBIBYTE = 1024 ** 2
const endless = () =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        controller.enqueue(new Uint8Array(MEBIBYTE).fill(97))
        await new Promise(setImmediate)
      },
    }),
  )

const call = (path: string) =>
  callWebhook(
    `http://127.0.0.1:${receiver.port}/${path}`,
    '{}',
    {},
    {
      allowPrivateAddresses: true,
      userAgent: 'test',
      signal: new AbortController().signal,
    },
  )

for (const encoding of ['br', 'gzip']) {
  test(`a ${encoding} decompression bomb is not decompressed and counts as a failed delivery`, async () => {
    const before = process.memoryUsage().rss
    for (const result of await Promise.all(Array.from({ length: 8 }, () => call(encoding)))) {
      expect(result.isAccepted).toBe(false)
      expect(result.responseText).toContain('compressed')
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MEBIBYTE)
    expect([...acceptedEncodings]).toEqual(['identity'])
  }, 60_000)
}

test('an endless response is cut and counts by its status', async () => {
  const result = await call('endless')
  expect(result).toMatchObject({ status: 200, isAccepted: true })
  expect(result.responseText).toBe('a'.repeat(500))
})
