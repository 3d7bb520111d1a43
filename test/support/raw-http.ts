import { connect, type Socket } from 'node:net'

/** A TCP connection for malformed or slow requests. */
export type RawConnection = {
  readonly socket: Socket
  /** All received bytes, one per character (latin1). */
  readonly received: () => string
  /** Milliseconds from the start until the other side closed. */
  readonly closed: Promise<number>
}

export function openConnection(url: string, begin: (socket: Socket) => void): RawConnection {
  const { hostname, port } = new URL(url)
  const openedAt = performance.now()
  let received = ''
  const socket = connect(Number(port), hostname, () => begin(socket))
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) => socket.on('close', () => resolve(performance.now() - openedAt)))
  return { socket, received: () => received, closed }
}

/** Sends one byte at a time, with a pause before each. */
export function trickle(socket: Socket, text: string, pauseMs: number): void {
  let index = 0
  const timer = setInterval(() => {
    if (socket.destroyed || index >= text.length) clearInterval(timer)
    else socket.write(text.charAt(index++))
  }, pauseMs)
}

export type RawResponse = { readonly status: number; readonly head: string; readonly body: string }

/** The complete responses in a byte stream. */
export function readResponses(text: string): RawResponse[] {
  const responses: RawResponse[] = []
  for (let rest = text; ; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return responses
    const head = rest.slice(0, end)
    const length = Number(/^content-length: (\d+)\r?$/im.exec(head)?.[1] ?? 0)
    if (rest.length < end + 4 + length) return responses
    responses.push({ status: Number(head.slice(9, 12)), head, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
}
