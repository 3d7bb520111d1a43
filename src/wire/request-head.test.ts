import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Malformed, type RequestHead, requestHeadReader } from './request-head.ts'

const readRequestHead = (text: string) => requestHeadReader()(text)
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const read = (...lines: string[]) => readRequestHead(head(...lines)) as RequestHead & Malformed

describe('a request head', () => {
  test('tells method, target and headers, whatever the case of their names', () => {
    const { method, target, headers } = read('GET /api/devices?limit=1 HTTP/1.1', 'host: a', 'X-Some-Thing:  x y \t')
    expect([method, target]).toEqual(['GET', '/api/devices?limit=1'])
    expect(headers.get('host')).toBe('a')
    expect(headers.get('x-some-thing')).toBe('x y')
    expect(headers.get('x-none')).toBeNull()
  })

  test('joins headers of one name', () => {
    const { headers } = read(
      'GET / HTTP/1.1',
      'Host: a',
      'If-None-Match: "x"',
      'Cookie: a=1',
      'IF-NONE-MATCH: "y"',
      'cookie: b=2',
    )
    expect(headers.get('if-none-match')).toBe('"x", "y"')
    expect(headers.get('cookie')).toBe('a=1; b=2')
  })

  test('may name the whole address, as a caller does that takes us for a proxy', () => {
    expect(read('GET http://a.example/api/devices?x=1 HTTP/1.1', 'Host: a.example').target).toBe('/api/devices?x=1')
    expect(read('GET http://a.example HTTP/1.1', 'Host: a.example').target).toBe('/')
    expect(read('GET http://a.example?x=1 HTTP/1.1', 'Host: a.example').target).toBe('/?x=1')
  })

  test('with letters that are not escaped is understood as if they were', () => {
    const sent = Buffer.from(head('GET /api/devices?search=Gerät HTTP/1.1', 'Host: a')).toString('latin1')
    expect((readRequestHead(sent) as RequestHead).target).toBe('/api/devices?search=Ger%C3%A4t')
  })

  for (const [lines, isKept] of [
    [['GET / HTTP/1.1', 'Host: a'], true],
    [['GET / HTTP/1.1', 'Host: a', 'Connection: close'], false],
    [['GET / HTTP/1.1', 'Host: a', 'Connection: TE, Close'], false],
    [['GET / HTTP/1.1', 'Host: a', 'Connection: Upgrade, HTTP2-Settings'], true],
    [['GET / HTTP/1.0'], false],
    [['GET / HTTP/1.0', 'Connection: keep-alive'], true],
  ] as const) {
    test(`${lines.join(' | ')} ${isKept ? 'keeps' : 'ends'} the connection`, () => {
      expect(read(...lines).isKept).toBe(isKept)
    })
  }

  for (const [more, body] of [
    [[], 0],
    [['Content-Length: 0'], 0],
    [['Content-Length: 12'], 12],
    [['Transfer-Encoding: Chunked'], 'chunked'],
  ] as const) {
    test(`${more[0] ?? 'nothing'} says where the body ends`, () => {
      expect(read('POST / HTTP/1.1', 'Host: a', ...more).body).toBe(body)
    })
  }

  test('asks to be told to go on only where there is a body', () => {
    expect(read('POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Expect: 100-Continue').awaitsContinue).toBe(true)
    expect(read('GET / HTTP/1.1', 'Host: a', 'Expect: 100-continue').awaitsContinue).toBe(false)
    expect(read('POST / HTTP/1.0', 'Content-Length: 1', 'Expect: 100-continue').awaitsContinue).toBe(false)
  })
})

test('of several requests on a connection each is read for itself, whatever the one before it said', () => {
  const lines = fc.constantFrom(
    ['Host: a'],
    ['Host: a', 'X-A: 1'],
    ['Host: a', 'X-A: 2'],
    ['Host: a', 'Connection: close'],
    ['Host: a', 'Content-Length: 3'],
    ['Host: a', 'Transfer-Encoding: chunked'],
    ['X-A: 1'],
    ['Nonsense'],
  )
  const request = fc.tuple(fc.constantFrom('GET /1', 'POST /2', 'GET /3 x'), fc.constantFrom('1.1', '1.0'), lines)
  const plain = (read: RequestHead | Malformed) =>
    'why' in read ? read : { ...read, headers: ['host', 'x-a', 'connection'].map(read.headers.get) }
  fc.assert(
    fc.property(fc.array(request, { minLength: 2, maxLength: 6 }), (requests) => {
      const reader = requestHeadReader()
      for (const [start, version, more] of requests) {
        const text = head(`${start} HTTP/${version}`, ...more)
        expect(plain(reader(text))).toEqual(plain(readRequestHead(text)))
      }
    }),
  )
})

test('what is taken is what the grammar allows and nothing else', () => {
  const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
  const grammar = new RegExp(
    `^${token} [\\x21-\\x7e]+ HTTP/1\\.[01]\\r\\n(?:${token}:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n)*\\r\\n$`,
  )
  const piece = fc.constantFrom(
    ...[
      'GET',
      ' ',
      '/',
      'a',
      ' HTTP/1.1',
      '\r\n',
      '\r',
      '\n',
      'Host',
      ':',
      ': ',
      'x',
      '\t',
      '\0',
      '\x7f',
      '\xe4',
      '"',
      '(',
      '1',
    ],
  )
  const near = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(near, near, near, (first, name, value) => {
      for (const text of [
        `${first} HTTP/1.1\r\nHost: a\r\n\r\n`,
        `GET /${first} HTTP/1.1\r\nHost: a\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: a\r\n${name}:${value}\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: a\r\nX-A: b${first}\r\n\r\n`,
      ]) {
        const read = readRequestHead(text)
        const isRefusedForLines = 'why' in read && /line/.test(read.why)
        if (grammar.test(text)) expect(isRefusedForLines).toBe(false)
        // A target may have bytes that should have been escaped, and is read as if they had been.
        else if (!/^[^\r\n]*[\x80-\xff]/.test(text)) expect('why' in read).toBe(true)
      }
    }),
    { numRuns: 2_000 },
  )
})

describe('what two programs could read in two ways is refused:', () => {
  const post = (...more: string[]) => head('POST /api/imei HTTP/1.1', 'Host: a', ...more)
  for (const [why, text, status] of [
    ['a length and chunks', post('Content-Length: 4', 'Transfer-Encoding: chunked'), 400],
    ['chunks and a length', post('Transfer-Encoding: chunked', 'Content-Length: 4'), 400],
    ['two lengths', post('Content-Length: 4', 'Content-Length: 5'), 400],
    ['two lengths that agree', post('Content-Length: 4', 'Content-Length: 4'), 400],
    ['a list of lengths', post('Content-Length: 4, 4'), 400],
    ['a signed length', post('Content-Length: +4'), 400],
    ['a negative length', post('Content-Length: -1'), 400],
    ['a hexadecimal length', post('Content-Length: 0x4'), 400],
    ['a length with a fraction', post('Content-Length: 4.0'), 400],
    ['no length', post('Content-Length:'), 400],
    ['a length beyond counting', post('Content-Length: 99999999999999999999'), 400],
    ['a blank before the colon', post('Content-Length : 4'), 400],
    ['a name that begins with a blank', post(' Transfer-Encoding: chunked'), 400],
    ['a header over two lines', post('X-A: b', ' c'), 400],
    ['a header without a colon', post('Nonsense'), 400],
    ['a header without a name', post(': x'), 400],
    ['a name with a control character', post('Transfer-Encoding\x00: chunked'), 400],
    ['a value with a NUL', post('X-A: a\x00b'), 400],
    ['a value with a bare CR', post('X-A: a\rTransfer-Encoding: chunked'), 400],
    ['a value with a bare LF', post('X-A: a\nTransfer-Encoding: chunked'), 400],
    ['lines that end with LF alone', 'GET / HTTP/1.1\nHost: a\n\r\n\r\n', 400],
    ['another encoding', post('Transfer-Encoding: gzip'), 501],
    ['another encoding and chunks', post('Transfer-Encoding: gzip, chunked'), 501],
    ['chunks twice', post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'), 501],
    ['an encoding in quotes', post('Transfer-Encoding: "chunked"'), 501],
    ['an encoding with a vertical tab', post('Transfer-Encoding: \x0bchunked'), 400],
    ['chunks in HTTP/1.0', head('POST / HTTP/1.0', 'Transfer-Encoding: chunked'), 400],
    ['no host', head('GET / HTTP/1.1'), 400],
    ['two hosts', head('GET / HTTP/1.1', 'Host: a', 'Host: b'), 400],
    ['a host with a path', head('GET / HTTP/1.1', 'Host: a/b'), 400],
    ['a host with an at', head('GET / HTTP/1.1', 'Host: a@b'), 400],
    ['two blanks in the request line', head('GET  / HTTP/1.1', 'Host: a'), 400],
    ['a tab in the request line', head('GET\t/ HTTP/1.1', 'Host: a'), 400],
    ['a blank in the target', head('GET /a b HTTP/1.1', 'Host: a'), 400],
    ['no target', head('GET HTTP/1.1', 'Host: a'), 400],
    ['a target that is no path', head('GET api/devices HTTP/1.1', 'Host: a'), 400],
    ['a target for a tunnel', head('CONNECT a:443 HTTP/1.1', 'Host: a'), 400],
    ['a method that is no word', head('G(T / HTTP/1.1', 'Host: a'), 400],
    ['a lower-case version', head('GET / http/1.1', 'Host: a'), 400],
    ['HTTP/1.2', head('GET / HTTP/1.2', 'Host: a'), 505],
    ['HTTP/2', head('PRI * HTTP/2.0'), 505],
    ['no version', head('GET /', 'Host: a'), 400],
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400],
  ] as const) {
    test(why, () => {
      const refused = readRequestHead(text) as Malformed
      expect(refused.status).toBe(status)
      expect(refused.why).toMatch(/^[A-Z].*\.$/)
    })
  }

  test('more headers than anybody needs', () => {
    expect(read('GET / HTTP/1.1', 'Host: a', ...Array.from({ length: 101 }, (_, at) => `X-${at}: 1`)).status).toBe(431)
  })

  test('and the line that is wrong is named', () => {
    expect(read('GET / HTTP/1.1', 'Host: a', 'X-A: b', 'Nonsense').why).toBe('Header line 3 is not "Name: value".')
  })
})
