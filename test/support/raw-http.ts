import { connect, type Socket } from 'node:net'

/** A bare connection, for requests that no well-behaved client would send. */
export type RawConnection = {
  readonly socket: Socket
  /** Everything received so far, a byte per character. */
  readonly received: () => string
  /** Milliseconds from the start until the other side closed. */
  readonly closed: Promise<number>
}

export function openConnection(url: string, begin: (socket: Socket) => void): RawConnection {
  const { hostname, port } = new URL(url)
  const from = performance.now()
  let received = ''
  const socket = connect(Number(port), hostname, () => begin(socket))
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) => socket.on('close', () => resolve(performance.now() - from)))
  return { socket, received: () => received, closed }
}

/** One byte after the other, with a pause before each. */
export function trickle(socket: Socket, text: string, pauseMs: number): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer)
    else socket.write(text.charAt(at++))
  }, pauseMs)
}

export type RawResponse = { readonly status: number; readonly head: string; readonly body: string }

/** The complete responses in a byte stream. */
export function readResponses(text: string): RawResponse[] {
  const answers: RawResponse[] = []
  for (let rest = text; ; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return answers
    const head = rest.slice(0, end)
    const length = Number(/^content-length: (\d+)\r?$/im.exec(head)?.[1] ?? 0)
    if (rest.length < end + 4 + length) return answers
    answers.push({ status: Number(head.slice(9, 12)), head, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
}
