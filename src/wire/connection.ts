import { type BodyReader, BrokenFraming, chunkedReader, lengthReader } from './body-reader.ts'
import { type Line, outbox } from './outbox.ts'
import { type Outgoing, statusLine } from './outgoing.ts'
import { type BodyFault, BodyTrouble, type Reception, type Sender } from './reception.ts'
import { type Malformed, type RequestHead, requestHeadReader } from './request-head.ts'

/** The time, looked at now and then for all connections together: none of them needs it more exactly than that. */
export type Clock = {
  /** Of a clock that never jumps. */
  readonly nowMs: number
  readonly dateField: string
}

export type Connection = {
  data(bytes: Buffer): void
  drained(): void
  /** The other side has said all it will say. */
  ended(): void
  closed(): void
  /** Looks at the clock: whoever is too slow is let go. */
  sweep(): void
  /** At a stop: an idle connection is closed at once, another with the answer in progress. */
  retire(): void
}

/** How long each part of a request may take, from its first byte to its last. */
const HEAD_MS = 10_000
const BODY_MS = 10_000
/** For as long a connection may stay without a request. */
const IDLE_MS = 12_000
/** For as long an answer may lie unread … */
const UNREAD_MS = 12_000
/** … and for as long the reading of it may take. */
const READING_MS = 60_000
/** After the last answer: time for the other side to read it, while what it still sends is thrown away. */
const LINGER_MS = 2_000

const MOST_HEAD_BYTES = 16_384
/** Read ahead of what is being answered. */
const MOST_HELD_BYTES = 65_536
/** Requests of one connection before it is the others' turn. */
const MOST_PER_TURN = 32
/** So much of a body that nobody wanted is read for the sake of the connection. */
const MOST_SKIPPED_BYTES = 65_536

const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')
const NOTHING = new Uint8Array(0)

type Phase =
  /** Nothing of a request is here. */
  | 'idle'
  /** The beginning of a request is here. */
  | 'head'
  | 'answering'
  | 'sending'
  /** Reads the rest of a body that nobody wanted. */
  | 'skipping'
  /** Our side is closed; whatever still comes is thrown away. */
  | 'lingering'
  | 'over'

type Wish = { readonly mostBytes: number; resolve(bytes: Uint8Array): void; reject(trouble: BodyTrouble): void }

/**
 * One caller's connection: reads its requests one after the other, has each answered, and sends the answers in order.
 * While an answer is being made or sent, nothing more is read than a little ahead.
 */
export function connection(line: Line, reception: Reception, clock: Clock): Connection {
  let phase: Phase = 'idle'
  let deadline = clock.nowMs + IDLE_MS
  /** Arrived and not yet read. */
  let held: Buffer | null = null
  let isPaused = false
  const out = outbox(line)
  let readUntil = 0
  let whenSent: (() => void) | null = null

  const readRequestHead = requestHeadReader()
  let request: RequestHead | null = null
  let body: BodyReader | null = null
  let fault: BodyFault | null = null
  let pieces: Uint8Array[] = []
  let arrivedBytes = 0
  let wish: Wish | null = null
  let isToldToGoOn = false

  /** The answer in progress is the last on this connection. */
  let isLast = false
  let isRetired = false
  let hasEnded = false

  const sender: Sender = { address: () => line.remoteAddress, body: readBody }

  /** Reads on until there is nothing left to read or something to wait for. */
  function advance(): void {
    for (let turn = 0; held !== null && (phase === 'idle' || phase === 'head' || phase === 'skipping'); turn++) {
      if (turn === MOST_PER_TURN) {
        setImmediate(advance)
        return
      }
      if (phase === 'skipping') {
        takeBody()
        if (body !== null) return
        enter('idle', IDLE_MS)
      } else if (!readHead(held)) break
    }
    if (hasEnded && (phase === 'idle' || phase === 'head')) close()
  }

  function readHead(bytes: Buffer): boolean {
    const text = bytes.toString('latin1', 0, Math.min(bytes.length, MOST_HEAD_BYTES))
    // An empty line before a request is a leftover of careless clients.
    const start = text.charCodeAt(0) === 13 && text.charCodeAt(1) === 10 ? 2 : 0
    const end = text.indexOf('\r\n\r\n', start) + 4
    if (end < 4) {
      if (bytes.length >= MOST_HEAD_BYTES) refuse(tooLong(text))
      else if (phase === 'idle') enter('head', HEAD_MS)
      return false
    }
    held = end === bytes.length ? null : bytes.subarray(end)
    const head = readRequestHead(start === 0 && end === text.length ? text : text.slice(start, end))
    if ('why' in head) refuse(head)
    else serve(head)
    return true
  }

  function serve(head: RequestHead): void {
    phase = 'answering'
    deadline = Number.POSITIVE_INFINITY
    request = head
    if (arrivedBytes > 0 || fault !== null) forgetBody()
    if (head.body !== 0) beginBody(head.body)
    const made = reception.answer(head, sender)
    if (made instanceof Promise) {
      made.then((answer) => {
        send(answer)
        advance()
      })
    } else send(made)
  }

  function refuse(what: Malformed | 'late'): void {
    request = null
    send(reception.refuse(what))
  }

  function beginBody(framing: number | 'chunked'): void {
    body = framing === 'chunked' ? chunkedReader(keep) : lengthReader(framing, keep)
    isToldToGoOn = false
    if (held !== null) takeBody()
  }

  function forgetBody(): void {
    fault = null
    pieces = []
    arrivedBytes = 0
  }

  function keep(piece: Uint8Array): void {
    arrivedBytes += piece.length
    if (phase === 'answering' && fault === null) pieces.push(piece)
  }

  function takeBody(): void {
    if (held === null || body === null) return
    try {
      const taken = body.take(held)
      held = taken === held.length ? null : held.subarray(taken)
    } catch (error) {
      if (!(error instanceof BrokenFraming)) throw error
      held = null
      giveUpBody('broken')
      if (phase === 'skipping') close()
      return
    }
    if (body.isDone()) body = null
    if (wish !== null && arrivedBytes > wish.mostBytes) giveUpBody('too large')
    else if (wish !== null && body === null) {
      const { resolve } = wish
      wish = null
      deadline = Number.POSITIVE_INFINITY
      resolve(wholeBody())
    }
  }

  function wholeBody(): Uint8Array {
    const [first = NOTHING] = pieces
    const whole = pieces.length > 1 ? Buffer.concat(pieces, arrivedBytes) : first
    pieces = []
    return whole
  }

  function giveUpBody(why: BodyFault): void {
    fault ??= why
    pieces = []
    wish?.reject(new BodyTrouble(fault))
    wish = null
  }

  function readBody(mostBytes: number): Promise<Uint8Array> {
    if (request !== null && typeof request.body === 'number' && request.body > mostBytes) fault ??= 'too large'
    if (arrivedBytes > mostBytes) fault ??= 'too large'
    if (fault !== null) return Promise.reject(new BodyTrouble(fault))
    if (body === null) return Promise.resolve(wholeBody())
    if (request?.awaitsContinue && arrivedBytes === 0) {
      isToldToGoOn = true
      out.write(CONTINUE, 0, CONTINUE.length)
    }
    deadline = clock.nowMs + BODY_MS
    unpause()
    return new Promise((resolve, reject) => {
      wish = { mostBytes, resolve, reject }
    })
  }

  function send({ status, fields, body: content }: Outgoing): void {
    if (phase === 'over') {
      if (content instanceof ReadableStream) content.cancel().catch(() => {})
      return
    }
    isLast = request === null || !request.isKept || isRetired || (hasEnded && held === null) || !canSkipRest()
    const isOld = request?.isOldVersion ?? false
    const isBare = status === 204 || status === 304
    let head = statusLine(status) + fields + clock.dateField
    if (content instanceof ReadableStream) {
      if (isOld) isLast = true
      else head += 'Transfer-Encoding: chunked\r\n'
    } else if (!isBare) head += content === null ? 'Content-Length: 0\r\n' : content.lengthField
    head += isLast ? 'Connection: close\r\n\r\n' : isOld ? 'Connection: keep-alive\r\n\r\n' : '\r\n'
    phase = 'sending'
    if (content === null || isBare || request?.method === 'HEAD') {
      if (content instanceof ReadableStream) content.cancel().catch(() => {})
      out.writeText(head)
    } else if (content instanceof ReadableStream) {
      out.writeText(head)
      pump(content, isOld).then(
        () => {
          sent()
          advance()
        },
        () => line.terminate(),
      )
      return
    } else out.writeWithHead(head, content)
    if (out.isEmpty()) sent()
    else awaitReader(clock.nowMs + READING_MS)
  }

  /** Whether what is left of the body is little enough, and sure enough to come, to be read for the next request's sake. */
  function canSkipRest(): boolean {
    if (fault === 'broken' || fault === 'late') return false
    if (body === null) return true
    if (request?.awaitsContinue && !isToldToGoOn) return false
    return (body.missing() ?? Number.POSITIVE_INFINITY) <= MOST_SKIPPED_BYTES
  }

  function awaitReader(until: number): void {
    readUntil = until
    deadline = Math.min(clock.nowMs + UNREAD_MS, readUntil)
  }

  async function pump(stream: ReadableStream<Uint8Array>, isOld: boolean): Promise<void> {
    const reader = stream.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (isClosed()) return reader.cancel()
      if (done) break
      if (value.length === 0) continue
      if (!isOld) out.writeText(`${value.length.toString(16)}\r\n`)
      out.write(Buffer.from(value.buffer, value.byteOffset, value.byteLength), 0, value.length)
      if (!isOld) out.writeText('\r\n')
      if (!out.isEmpty()) {
        awaitReader(Number.POSITIVE_INFINITY)
        await new Promise<void>((resolve) => {
          whenSent = resolve
        })
        deadline = Number.POSITIVE_INFINITY
      }
    }
    if (!isOld) out.write(LAST_CHUNK, 0, LAST_CHUNK.length)
  }

  const isClosed = () => phase === 'over'

  /** The answer is on its way as a whole. */
  function sent(): void {
    if (phase !== 'sending') return
    if (!out.isEmpty()) {
      // The end of a stream that the other side has not read yet.
      awaitReader(clock.nowMs + READING_MS)
      return
    }
    request = null
    pieces = []
    if (isLast) close()
    else if (body !== null) enter('skipping', BODY_MS)
    else enter('idle', IDLE_MS)
    unpause()
  }

  function enter(next: Phase, ms: number): void {
    phase = next
    deadline = clock.nowMs + ms
  }

  function unpause(): void {
    if (!isPaused) return
    isPaused = false
    line.resume()
  }

  /** Closing while the other side still sends would make its system throw away the answer it has not read yet. */
  function close(): void {
    const mayComeMore = body !== null || held !== null
    held = null
    body = null
    if (mayComeMore && !hasEnded) {
      enter('lingering', LINGER_MS)
      unpause()
      line.shutdown()
    } else end()
  }

  function end(): void {
    phase = 'over'
    line.end()
  }

  return {
    data(bytes) {
      if (phase === 'over' || phase === 'lingering') return
      held = held === null ? bytes : Buffer.concat([held, bytes])
      if (phase === 'answering' && body !== null) takeBody()
      else advance()
      const ahead = (held?.length ?? 0) + (wish === null && phase === 'answering' ? arrivedBytes : 0)
      if (ahead > MOST_HELD_BYTES && (phase === 'answering' || phase === 'sending') && !isPaused) {
        isPaused = true
        line.pause()
      }
    },
    drained() {
      const went = out.sendOn()
      if (went === 'a part') awaitReader(readUntil)
      if (went !== 'all') return
      if (whenSent) {
        whenSent()
        whenSent = null
      } else if (phase === 'sending') {
        sent()
        advance()
      }
    },
    ended() {
      hasEnded = true
      if (body !== null) giveUpBody('cut short')
      if (phase === 'skipping' || phase === 'lingering') end()
      else if (held === null || phase === 'head') advance()
    },
    closed() {
      phase = 'over'
      held = null
      out.clear()
      giveUpBody('cut short')
      whenSent?.()
      whenSent = null
    },
    sweep() {
      if (clock.nowMs < deadline) return
      deadline = Number.POSITIVE_INFINITY
      if (phase === 'head') refuse('late')
      else if (phase === 'answering') giveUpBody('late')
      else if (phase === 'idle') end()
      else if (phase !== 'over') line.terminate()
    },
    retire() {
      isRetired = true
      if (phase === 'idle' && held === null) end()
    },
  }
}

function tooLong(text: string): Malformed {
  const isLine = !text.includes('\r\n')
  const most = `${MOST_HEAD_BYTES} bytes`
  return isLine
    ? { status: 414, why: `The request line is longer than ${most}.` }
    : { status: 431, why: `The headers are longer than ${most}.` }
}
