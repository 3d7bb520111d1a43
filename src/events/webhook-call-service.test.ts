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

const callUrl = (url: string, allowPrivateAddresses: boolean) =>
  callWebhook(url, '{}', {}, { allowPrivateAddresses, userAgent: 'test', signal: new AbortController().signal })
const call = (path: string) => callUrl(`http://127.0.0.1:${receiver.port}/${path}`, true)

for (const encoding of ['br', 'gzip']) {
  test(`a ${encoding} decompression bomb is not decompressed and counts as a failed delivery`, async () => {
    const before = process.memoryUsage().rss
    for (const result of await Promise.all(Array.from({ length: 8 }, () => call(encoding)))) {
      expect(result.isAccepted).toBe(false)
      expect(result.responseText).toContain('compressed')
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MEBIBYTE)
    expect([...acceptedEncodings]).toEqual(['identity'])
  })
}

test('an endless response is cut off and counts by its status', async () => {
  const result = await call('endless')
  expect(result).toMatchObject({ status: 200, isAccepted: true })
  expect(result.responseText).toBe('a'.repeat(500))
})

test('the reason of a failed call names no internal address or port', async () => {
  const closed = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = closed
  closed.stop(true)
  for (const [url, allowPrivate, reason] of [
    ['https://localhost/', false, 'The host name does not resolve to a public address.'],
    ['https://nothing.invalid/', true, 'The host name cannot be resolved.'],
    [`http://localhost:${port}/`, true, 'The connection was refused.'],
    [`https://localhost:${receiver.port}/`, true, 'The connection failed'],
  ] as const) {
    const { status, isAccepted, responseText } = await callUrl(url, allowPrivate)
    expect({ status, isAccepted }).toEqual({ status: null, isAccepted: false })
    expect(responseText, url).toStartWith(reason)
    expect(responseText, url).not.toMatch(/127\.0\.0\.1|::1|localhost|\d{4,}/)
  }
})
