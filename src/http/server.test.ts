import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { openConnection, readResponses } from '../../test/support/raw-http.ts'
import { waitUntil } from '../../test/support/wait.ts'
import { listen } from './server.ts'

/**
 * Requests that two programs could parse differently must not reach a handler: a proxy in front would see other requests. Bun's server ensures that;
 * this test checks the pinned version.
 */
const handled: string[] = []
const server = listen(
  async (request) => {
    const body = await request.text()
    handled.push(`${request.method} ${body}`)
    return new Response(`taken: ${request.url}`)
  },
  { host: '127.0.0.1', port: 0 },
)
afterAll(() => server.stop())
afterEach(() => void handled.splice(0))

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
const head = (...lines: string[]) => [...lines, '', ''].join('\r\n')
const get = (...lines: string[]) => head('GET / HTTP/1.1', ...lines)
const post = (...lines: string[]) => head('POST / HTTP/1.1', 'Host: a', ...lines)
const chunks = (text: string) => post('Transfer-Encoding: chunked') + text

function send(text: string) {
  const bytes = Buffer.from(`${text}0\r\n\r\n${SMUGGLED}`, 'latin1')
  const connection = openConnection(server.url, (socket) => socket.write(bytes))
  return { ...connection, responses: () => readResponses(connection.received()) }
}

test('an error that escapes a handler is a 500 and goes to onError, not as a stack trace to the log', async () => {
  const errors: string[] = []
  const failing = listen(
    () => {
      throw new Error('boom')
    },
    { host: '127.0.0.1', port: 0, onError: (error) => errors.push(error.message) },
  )
  try {
    expect((await fetch(failing.url)).status).toBe(500)
    expect(errors).toEqual(['boom'])
  } finally {
    await failing.stop()
  }
})

describe('ambiguous requests are rejected, and nothing after them is parsed as a request', () => {
  for (const [why, text] of [
    ['Content-Length and chunked', post('Content-Length: 4', 'Transfer-Encoding: chunked')],
    ['chunked and Content-Length', post('Transfer-Encoding: chunked', 'Content-Length: 4')],
    ['two different lengths', post('Content-Length: 4', 'Content-Length: 5')],
    ['a list of lengths', post('Content-Length: 4, 4')],
    ['a signed length', post('Content-Length: +4')],
    ['a negative length', post('Content-Length: -1')],
    ['a hexadecimal length', post('Content-Length: 0x4')],
    ['a fractional length', post('Content-Length: 4.0')],
    ['an empty length', post('Content-Length:')],
    ['an overflowing length', post('Content-Length: 99999999999999999999')],
    ['a space before the colon', post('Content-Length : 4')],
    ['a name that starts with a space', post(' Transfer-Encoding: chunked')],
    ['a folded header', post('X-A: b', ' c')],
    ['a header without a colon', post('Nonsense')],
    ['a header without a name', post(': x')],
    ['a name with a control character', post('Transfer-Encoding\x00: chunked')],
    ['a value with a NUL', post('X-A: a\x00b')],
    ['a value with a bare CR', post('X-A: a\rTransfer-Encoding: chunked')],
    ['a value with a bare LF', post('X-A: a\nTransfer-Encoding: chunked')],
    ['lines that end with LF alone', 'GET / HTTP/1.1\nHost: a\n\r\n\r\n'],
    ['another encoding', post('Transfer-Encoding: gzip')],
    ['another encoding and chunks', post('Transfer-Encoding: gzip, chunked')],
    ['chunked twice', post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')],
    ['an encoding in quotes', post('Transfer-Encoding: "chunked"')],
    ['an encoding with a vertical tab', post('Transfer-Encoding: \x0bchunked')],
    ['chunked in HTTP/1.0', head('POST / HTTP/1.0', 'Transfer-Encoding: chunked')],
    ['no host', get()],
    ['two spaces in the request line', head('GET  / HTTP/1.1', 'Host: a')],
    ['a tab in the request line', head('GET\t/ HTTP/1.1', 'Host: a')],
    ['a space in the target', head('GET /a b HTTP/1.1', 'Host: a')],
    ['no target', head('GET HTTP/1.1', 'Host: a')],
    ['a target that is not a path', head('GET api/devices HTTP/1.1', 'Host: a')],
    ['an invalid method', head('G(T / HTTP/1.1', 'Host: a')],
    ['a lower-case version', head('GET / http/1.1', 'Host: a')],
    ['HTTP/1.2', head('GET / HTTP/1.2', 'Host: a')],
    ['HTTP/2', head('PRI * HTTP/2.0')],
    ['no version', head('GET /', 'Host: a')],
    ['TLS bytes', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ['a chunk without a size', chunks('\r\nabc')],
    ['a chunk size that is not a number', chunks('x\r\n')],
    ['a chunk size with a sign', chunks('+3\r\nabc\r\n')],
    ['a chunk size that begins with 0x', chunks('0x3\r\nabc\r\n')],
    ['a chunk size after a space', chunks(' 3\r\nabc\r\n')],
    ['a chunk longer than its size', chunks('2\r\nabc\r\n')],
    ['a chunk whose size line ends with LF alone', chunks('3\nabc\r\n')],
    ['a chunk that ends with LF alone', chunks('3\r\nabc\n0\r\n\r\n')],
    ['a chunk with a CR without LF', chunks('3\rabc\r\n')],
    ['an endless chunk extension', chunks(`3;${'a'.repeat(2_000)}`)],
  ] as const) {
    test(why, async () => {
      const { closed, responses } = send(text)
      await closed
      expect(responses()).toHaveLength(1)
      expect(responses()[0]?.status).toBeGreaterThanOrEqual(400)
      expect(handled).toEqual([])
    })
  }
})

describe('unambiguous oddities are accepted', () => {
  for (const [why, text, request] of [
    ['the same length twice', post('Content-Length: 5', 'Content-Length: 5'), 'POST 0\r\n\r\n'],
    ['a chunk size with leading zeros', chunks('000000003\r\nabc\r\n'), 'POST abc'],
  ] as const) {
    test(why, async () => {
      const { socket, responses } = send(text)
      await waitUntil(() => responses().length > 0, { describe: 'the response' })
      socket.destroy()
      expect(responses()[0]?.status).toBe(200)
      expect(handled[0]).toBe(request)
    })
  }
})

test('a request without a host, or with two, is 400 and reaches no handler', async () => {
  for (const request of [
    head('GET / HTTP/1.1'),
    head('GET / HTTP/1.0'),
    head('GET / HTTP/1.1', 'Host: a', 'Host: b'),
    head('GET / HTTP/1.1', 'Host: a, b'),
    head('POST / HTTP/1.1', 'Host: a', 'host: a', 'Content-Length: 0'),
  ]) {
    const connection = openConnection(server.url, (socket) => socket.write(request))
    await waitUntil(() => connection.received() !== '', { describe: 'a response' })
    expect([request, connection.received().split(' ')[1]]).toEqual([request, '400'])
    connection.socket.destroy()
  }
  expect(handled).toEqual([])
})
