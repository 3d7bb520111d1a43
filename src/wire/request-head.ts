/** The beginning of a request, as far as it can be told without its body. */
export type RequestHead = {
  readonly method: string
  /** Path and query as they were sent, never empty. */
  readonly target: string
  readonly headers: RequestHeaders
  /** Bytes of the body that follows; `chunked` when its length shows only at its end. */
  readonly body: number | 'chunked'
  /** Whether the caller may send another request on this connection. */
  readonly isKept: boolean
  readonly isOldVersion: boolean
  /** The caller holds its body back until it is told to go on. */
  readonly awaitsContinue: boolean
}

export type RequestHeaders = {
  /** The value of a header, its name in lower case; several of one name are joined by a comma. */
  get(name: string): string | null
}

/** What cannot be read as a request. Nothing that follows it on its connection can be read either. */
export type Malformed = { readonly status: 400 | 414 | 431 | 501 | 505; readonly why: string }

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
/** No control characters, and so no line ends: what passes cannot mean two things to two readers. */
const VALUE = '[\\t\\x20-\\x7e\\x80-\\xff]*'
const GRAMMAR = new RegExp(`^${TOKEN} [\\x21-\\x7e]+ HTTP/1\\.[01]\\r\\n(?:${TOKEN}:${VALUE}\\r\\n)*\\r\\n$`)
const REQUEST_LINE = new RegExp(`^${TOKEN} [\\x21-\\x7e]+ HTTP/(\\d+)\\.(\\d+)$`)
const HEADER_LINE = new RegExp(`^${TOKEN}:${VALUE}$`)
const HOST = /^[A-Za-z0-9._~:[\]%-]*$/
const LENGTH = /^\d{1,15}$/
const MOST_HEADERS = 100

/**
 * Reads a request head from the text of its bytes, one character a byte, up to and including the empty line. It takes
 * the grammar of RFC 9112 and none of the liberties that the RFC still allows: where two programs on the way of a
 * request could disagree about where it ends, it is refused.
 */
export function readRequestHead(sent: string): RequestHead | Malformed {
  const text = GRAMMAR.test(sent) ? sent : withEscapedTarget(sent)
  if (text === undefined) return diagnosis(sent)
  const lineEnd = text.indexOf('\r\n')
  const targetStart = text.indexOf(' ') + 1
  const targetEnd = lineEnd - 9
  const isOldVersion = text.charCodeAt(lineEnd - 1) === 48
  const names: string[] = []
  const values: string[] = []
  let lengths = 0
  for (let at = lineEnd + 2; at < text.length - 2; ) {
    const colon = text.indexOf(':', at)
    const end = text.indexOf('\r\n', colon)
    const name = text.slice(at, colon)
    lengths |= lengthBit(name)
    names.push(name)
    values.push(withoutBlanks(text, colon + 1, end))
    at = end + 2
  }
  if (names.length > MOST_HEADERS) return { status: 431, why: `The request has more than ${MOST_HEADERS} headers.` }
  const headers = headersOf(names, values, lengths)

  const host = headers.get('host')
  if (host === null ? !isOldVersion : !HOST.test(host)) {
    return malformed('The request needs exactly one Host header that names a host.')
  }
  const target = targetOf(text.slice(targetStart, targetEnd))
  if (target === undefined) return malformed('The request target must be a path such as /api/devices.')
  const body = framing(headers, isOldVersion)
  if (typeof body === 'object') return body
  return {
    // One text for the method that almost every request has: to compare it then costs nothing.
    method: text.startsWith('GET ') ? 'GET' : text.slice(0, targetStart - 1),
    target,
    headers,
    body,
    isKept: isKept(headers.get('connection'), isOldVersion),
    isOldVersion,
    awaitsContinue: body !== 0 && !isOldVersion && headers.get('expect')?.toLowerCase() === '100-continue',
  }
}

/** `lengths` has a bit for the length of each name: most names that are looked for are not there, and it shows at once. */
function headersOf(names: string[], values: readonly string[], lengths: number): RequestHeaders {
  return {
    get(name) {
      if ((lengths & lengthBit(name)) === 0) return null
      let found: string | null = null
      for (let at = 0; at < names.length; at++) {
        let other = names[at] as string
        if (other.length !== name.length) continue
        if (other !== name) {
          other = other.toLowerCase()
          names[at] = other
          if (other !== name) continue
        }
        const value = values[at] as string
        found = found === null ? value : `${found}${name === 'cookie' ? '; ' : ', '}${value}`
      }
      return found
    },
  }
}

const lengthBit = (name: string) => 1 << (name.length & 31)

function withoutBlanks(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isBlank = (code: number) => code === 32 || code === 9

/** A caller that does not escape its letters is understood, as if it had escaped each byte. */
function withEscapedTarget(text: string): string | undefined {
  const lineEnd = text.indexOf('\r\n')
  const line = text.slice(0, lineEnd)
  const escaped = line.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  if (escaped === line) return undefined
  const whole = escaped + text.slice(lineEnd)
  return GRAMMAR.test(whole) ? whole : undefined
}

/** A path as browsers and most programs send it, or the whole address, as a caller does that takes us for a proxy. */
function targetOf(target: string): string | undefined {
  if (target.charCodeAt(0) === 47 || target === '*') return target
  const address = /^https?:\/\/[^/?#]+(.*)$/i.exec(target)
  if (!address) return undefined
  return address[1]?.startsWith('/') ? address[1] : `/${address[1]}`
}

/** Where the body ends. A length and chunks together, two lengths, or chunks in an old version are how requests are smuggled. */
function framing(headers: RequestHeaders, isOldVersion: boolean): number | 'chunked' | Malformed {
  const length = headers.get('content-length')
  const encoding = headers.get('transfer-encoding')
  if (encoding === null) {
    if (length === null) return 0
    return LENGTH.test(length) ? Number(length) : malformed('Content-Length must be one whole number.')
  }
  if (length !== null) return malformed('A request may have Content-Length or Transfer-Encoding, not both.')
  if (isOldVersion) return malformed('HTTP/1.0 knows no Transfer-Encoding.')
  if (encoding.toLowerCase() === 'chunked') return 'chunked'
  return { status: 501, why: 'The only Transfer-Encoding we take is chunked.' }
}

function isKept(connection: string | null, isOldVersion: boolean): boolean {
  if (connection === null) return !isOldVersion
  const wishes = connection.toLowerCase().split(',')
  const wants = (wish: string) => wishes.some((one) => one.trim() === wish)
  return !wants('close') && (!isOldVersion || wants('keep-alive'))
}

const malformed = (why: string): Malformed => ({ status: 400, why })

/** Only for what is refused: which line it was, so that whoever wrote the client finds it. */
function diagnosis(text: string): Malformed {
  const [first = '', ...lines] = text.split('\r\n')
  const version = REQUEST_LINE.exec(first)
  if (!version) return malformed('The request line is not "METHOD /path HTTP/1.1".')
  if (version[1] !== '1' || Number(version[2]) > 1) {
    return { status: 505, why: 'We speak HTTP/1.1 and HTTP/1.0.' }
  }
  const at = lines.findIndex((line) => line !== '' && !HEADER_LINE.test(line))
  return malformed(`Header line ${at + 1} is not "Name: value".`)
}
