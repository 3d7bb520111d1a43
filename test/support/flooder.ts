/**
 * A process that floods a service: each connection sends a request with a wrong key as soon as the previous one is answered and
 * reconnects when it is closed, until stdin ends. Prints a line after as many rejections as connections, and at the end the number of
 * rejected requests and of connections that the service asked to close.
 */
const [url = '', connections = '0'] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const request = 'GET /api/devices HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer pk_pub_nobody\r\n\r\n'
let refused = 0
let sentAway = 0
let isOver = false

async function keepAsking(): Promise<void> {
  while (!isOver) {
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    try {
      await Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: (socket) => void socket.write(request),
          data(socket, bytes) {
            const text = bytes.toString('latin1')
            if (/^HTTP\/1\.1 (401|429)/.test(text) && ++refused === Number(connections)) console.log('flooding')
            if (/\r\nconnection: close\r\n/i.test(text)) {
              sentAway++
              socket.end()
            } else socket.write(request)
          },
          close: () => resolve(),
          error: () => resolve(),
        },
      })
      await gone
    } catch {
      await Bun.sleep(50)
    }
  }
}

for (let at = 0; at < Number(connections); at++) void keepAsking()
for await (const _ of Bun.stdin.stream()) {
  // The content of stdin is ignored; only its end matters.
}
isOver = true
console.log(JSON.stringify({ refused, closed: sentAway }))
process.exit()

export {}
