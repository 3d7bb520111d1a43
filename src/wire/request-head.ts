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

/** What a character may be part of. */
const NAME = 1
const TARGET = 2
const VALUE = 4
const HOST = 8
const KINDS = Uint8Array.from({ length: 256 }, (_, code) => {
  const isName = /[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(code))
  const isTarget = code > 32 && code < 127
  // No control characters, and so no line ends: what passes cannot mean two things to two readers.
  const isValue = code === 9 || (code >= 32 && code !== 127)
  const isHost = /[A-Za-z0-9._~:[\]%-]/.test(String.fromCharCode(code))
  return (isName ? NAME : 0) | (isTarget ? TARGET : 0) | (isValue ? VALUE : 0) | (isHost ? HOST : 0)
})

/** Past the end of a text there is no character, and so none of any kind. */
const isOf = (kind: number, code: number) => ((KINDS[code] as number) & kind) !== 0

const LENGTH = /^\d{1,15}$/
const MOST_HEADERS = 100

/** What the header lines of a request come to. */
type HeaderLines = Pick<RequestHead, 'headers' | 'body' | 'isKept' | 'isOldVersion' | 'awaitsContinue'> & {
  readonly lines: string
}

const MOST_REMEMBERED_CHARS = 1_024

/**
 * Reads the request heads of one connection, each from the text of its bytes, one character a byte, up to and including
 * the empty line. It takes the grammar of RFC 9112 and none of the liberties that the RFC still allows: where two
 * programs on the way of a request could disagree about where it ends, it is refused.
 *
 * A program that asks again and again sends the same header lines each time; those are read once.
 */
export function requestHeadReader(): (text: string) => RequestHead | Malformed {
  let last: HeaderLines | undefined

  function read(text: string): RequestHead | Malformed {
    let methodEnd = 0
    while (isOf(NAME, text.charCodeAt(methodEnd))) methodEnd++
    let targetEnd = methodEnd + 1
    while (isOf(TARGET, text.charCodeAt(targetEnd))) targetEnd++
    const linesStart = targetEnd + ' HTTP/1.1\r\n'.length
    const version = text.slice(targetEnd, linesStart)
    const isOldVersion = version === ' HTTP/1.0\r\n'
    const isFit = methodEnd > 0 && text.charCodeAt(methodEnd) === BLANK && targetEnd > methodEnd + 1
    if (!isFit || !(isOldVersion || version === ' HTTP/1.1\r\n')) return requestLineTrouble(text, read)

    const lines = text.slice(linesStart)
    const isKnown = last !== undefined && last.lines === lines && last.isOldVersion === isOldVersion
    const known = isKnown && last ? last : readHeaderLines(lines, isOldVersion)
    if ('why' in known) return known
    last = lines.length <= MOST_REMEMBERED_CHARS ? known : undefined

    const target = targetOf(text.slice(methodEnd + 1, targetEnd))
    if (target === undefined) return malformed('The request target must be a path such as /api/devices.')
    const method = text.slice(0, methodEnd)
    const { headers, body, isKept, awaitsContinue } = known
    // One text for the method that almost every request has: to compare it then costs nothing.
    return { method: method === 'GET' ? 'GET' : method, target, headers, body, isKept, isOldVersion, awaitsContinue }
  }
  return read
}

function readHeaderLines(lines: string, isOldVersion: boolean): HeaderLines | Malformed {
  const marks: number[] = []
  let lengths = 0
  for (let at = 0; at < lines.length - 2; ) {
    let nameEnd = at
    while (isOf(NAME, lines.charCodeAt(nameEnd))) nameEnd++
    let valueEnd = nameEnd + 1
    while (isOf(VALUE, lines.charCodeAt(valueEnd))) valueEnd++
    if (nameEnd === at || lines.charCodeAt(nameEnd) !== COLON || !isLineEnd(lines, valueEnd)) {
      return malformed(`Header line ${marks.length / 3 + 1} is not "Name: value".`)
    }
    lengths |= lengthBit(nameEnd - at)
    marks.push(at, nameEnd, valueEnd)
    at = valueEnd + 2
  }
  if (marks.length > 3 * MOST_HEADERS) return { status: 431, why: `The request has more than ${MOST_HEADERS} headers.` }
  const headers = headersOf(lines, marks, lengths)

  const host = headers.get('host')
  if (host === null ? !isOldVersion : !isHost(host)) {
    return malformed('The request needs exactly one Host header that names a host.')
  }
  const body = framing(headers, isOldVersion)
  if (typeof body === 'object') return body
  const isKept = keepsConnection(headers.get('connection'), isOldVersion)
  const awaitsContinue = body !== 0 && !isOldVersion && headers.get('expect')?.toLowerCase() === '100-continue'
  return { lines, headers, body, isKept, isOldVersion, awaitsContinue }
}

/**
 * The headers stay where they are in the text; `marks` has the beginning, the colon and the end of each. Few of them are
 * ever looked at. `lengths` has a bit for the length of each name: most that are looked for are not there, and it shows.
 */
function headersOf(text: string, marks: readonly number[], lengths: number): RequestHeaders {
  return {
    get(name) {
      if ((lengths & lengthBit(name.length)) === 0) return null
      let found: string | null = null
      for (let mark = 0; mark < marks.length; mark += 3) {
        const start = marks[mark] as number
        const colon = marks[mark + 1] as number
        if (colon - start !== name.length || !hasName(text, start, name)) continue
        const value = withoutBlanks(text, colon + 1, marks[mark + 2] as number)
        found = found === null ? value : `${found}${name === 'cookie' ? '; ' : ', '}${value}`
      }
      return found
    },
  }
}

const lengthBit = (length: number) => 1 << (length & 31)

/** Whether `name`, which is in lower case, stands at that place in any case. */
function hasName(text: string, start: number, name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = text.charCodeAt(start + at)
    const isUpper = code >= 65 && code <= 90
    if ((isUpper ? code + 32 : code) !== name.charCodeAt(at)) return false
  }
  return true
}

function isHost(host: string): boolean {
  for (let at = 0; at < host.length; at++) if (!isOf(HOST, host.charCodeAt(at))) return false
  return true
}

function withoutBlanks(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const BLANK = 32
const TAB = 9
const COLON = 58
const CR = 13
const LF = 10
const isLineEnd = (text: string, at: number) => text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF
const isBlank = (code: number) => code === BLANK || code === TAB

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

function keepsConnection(connection: string | null, isOldVersion: boolean): boolean {
  if (connection === null) return !isOldVersion
  if (connection === 'keep-alive') return true
  const wishes = connection.toLowerCase().split(',')
  const wants = (wish: string) => wishes.some((one) => one.trim() === wish)
  return !wants('close') && (!isOldVersion || wants('keep-alive'))
}

const malformed = (why: string): Malformed => ({ status: 400, why })

/** Only for what is refused, or has to be read a second time. */
function requestLineTrouble(
  text: string,
  readAgain: (text: string) => RequestHead | Malformed,
): RequestHead | Malformed {
  const lineEnd = text.indexOf('\r\n')
  const line = text.slice(0, lineEnd)
  // A caller that does not escape its letters is understood, as if it had escaped each byte.
  const escaped = line.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  if (escaped !== line) return readAgain(escaped + text.slice(lineEnd))
  const version = / HTTP\/(\d+\.\d+)$/.exec(line)?.[1]
  if (version !== undefined && version !== '1.1' && version !== '1.0') {
    return { status: 505, why: 'We speak HTTP/1.1 and HTTP/1.0.' }
  }
  return malformed('The request line is not "METHOD /path HTTP/1.1".')
}
