/** An answer on its way out. */
export type Outgoing = {
  readonly status: number
  /** Header lines as they are sent, each with its line end. What frames the answer is added by the connection. */
  readonly fields: string
  /** Null where there is none to send, as with 304. */
  readonly body: Sendable | ReadableStream<Uint8Array> | null
}

/**
 * Bytes to send, with room before them: the head is written into it, and head and body leave in one piece without a
 * copy. They are read only while they are being written, so one of these can be sent over and over.
 */
export type Sendable = { readonly whole: Buffer; readonly length: number; readonly lengthField: string }

/** Enough for the head of any ordinary answer; a longer one is sent by itself. */
export const HEAD_ROOM = 768

const encoder = new TextEncoder()

export function sendable(content: Uint8Array | string): Sendable {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  const room = sendableRoom(bytes.length)
  room.whole.set(bytes, HEAD_ROOM)
  return room
}

/** The same, for whoever fills it in by themselves. */
export function sendableRoom(length: number): Sendable {
  const whole = Buffer.allocUnsafeSlow(HEAD_ROOM + length)
  return { whole, length, lengthField: flat(`Content-Length: ${length}\r\n`) }
}

/** The part of it that is the body. */
export function contentOf({ whole, length }: Sendable): Buffer {
  return whole.subarray(HEAD_ROOM, HEAD_ROOM + length)
}

/**
 * The same text in one piece. A text put together from others stays a tree of them until it is looked at, and every
 * longer text made with it would walk that tree anew; what is kept and used often is therefore kept flat.
 */
export const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

export type Fields = Readonly<Record<string, string>>

/** A value with a line end in it would begin another header, or another answer. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

export function field(name: string, value: string): string {
  if (UNSENDABLE.test(value)) throw new Error(`the header ${name} has a value that cannot be sent`)
  return `${name}: ${value}\r\n`
}

export function fieldsOf(fields: Fields): string {
  let lines = ''
  for (const [name, value] of Object.entries(fields)) lines += field(name, value)
  return lines
}

/** An answer from its parts, for whatever is not asked for thousands of times a second. */
export function outgoing(
  status: number,
  fields: Fields,
  content: Uint8Array | string | ReadableStream<Uint8Array> | null,
): Outgoing {
  const body = content === null || content instanceof ReadableStream ? content : sendable(content)
  return { status, fields: fieldsOf(fields), body }
}

export function withFields(answer: Outgoing, fields: Fields): Outgoing {
  return { ...answer, fields: answer.fields + fieldsOf(fields) }
}

/** Those we send. The library's own list comes with a whole HTTP server, which takes 13 to 20 ms to load at every start. */
const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  302: 'Found',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  505: 'HTTP Version Not Supported',
}

const statusLines = new Map<number, string>()

export function statusLine(status: number): string {
  let line = statusLines.get(status)
  if (line === undefined) {
    line = flat(`HTTP/1.1 ${status} ${REASONS[status] ?? ''}\r\n`)
    statusLines.set(status, line)
  }
  return line
}
