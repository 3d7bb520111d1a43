import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { type RunningProgram, shownKeys, startProgram } from '../support/program.ts'
import { openConnection, type RawConnection, readResponses, trickle } from '../support/raw-http.ts'
import { waitUntil } from '../support/wait.ts'

let program: RunningProgram
let keys: ReturnType<typeof shownKeys>
beforeAll(async () => {
  program = await startProgram({ RATE_LIMIT_PUBLIC: '1000000' })
  keys = shownKeys(program.stderr())
})
afterAll(() => program.stop())

const head = (method: string, path: string, more: string[] = []) =>
  [`${method} ${path} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${keys.enterprise}`, ...more, '', ''].join('\r\n')
const json = 'Content-Type: application/json'

const ESTABLISHED = '01'
const hexPort = (port: number | undefined) => (port ?? 0).toString(16).toUpperCase().padStart(4, '0')

/** Whether the server still has its side of the connection open, according to the kernel. */
function isOpenAtServer({ connecting, localPort, remotePort }: Socket): boolean {
  if (connecting) return true
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .some(
      ([, server, client, state]) =>
        state === ESTABLISHED &&
        server?.endsWith(`:${hexPort(remotePort)}`) &&
        client?.endsWith(`:${hexPort(localPort)}`),
    )
}

// Both mostly wait, so they run concurrently.
test.concurrent('a client that sends or reads slowly is disconnected, while others are served', async () => {
  const open = (begin: Parameters<typeof openConnection>[1]) => openConnection(program.url, begin)
  const slow: Record<string, RawConnection> = {
    'says nothing': open(() => {}),
    'stops inside a header': open((socket) => socket.write('GET /api/devices HTTP/1.1\r\nHost: a\r\nX-A: ')),
    'trickles headers': open((socket) => trickle(socket, head('GET', '/healthz', [`X-A: ${'a'.repeat(400)}`]), 500)),
    'stops inside a body': open((socket) =>
      socket.write(`${head('POST', '/api/imei', [json, 'Content-Length: 90'])}{"i`),
    ),
    'trickles a body': open((socket) => {
      socket.write(head('POST', '/api/imei', [json, 'Content-Length: 900']))
      trickle(socket, 'a'.repeat(400), 500)
    }),
    'trickles a chunked body': open((socket) => {
      socket.write(head('POST', '/api/imei', [json, 'Transfer-Encoding: chunked']))
      trickle(socket, '1\r\na\r\n'.repeat(200), 200)
    }),
    'does not read': open((socket) => {
      socket.pause()
      for (let sent = 0; sent < 40; sent++) socket.write(head('GET', '/api/devices?limit=100'))
    }),
  }
  let served = 0
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      const response = await fetch(`${program.url}/api/devices?limit=1`, {
        headers: { Authorization: `Bearer ${keys.public}` },
      })
      expect(response.status).toBe(200)
      served++
      await Bun.sleep(50)
    }
  })()
  try {
    await Promise.all(
      Object.values(slow).map(async ({ closed, socket }) => {
        // A paused reader does not see the end of the connection, so the server's side is checked.
        await waitUntil(() => !isOpenAtServer(socket), { describe: 'slow connections to be closed' })
        socket.resume()
        await closed
      }),
    )
  } finally {
    for (const { socket } of Object.values(slow)) socket.destroy()
    isOver = true
  }
  await others
  for (const name of ['stops inside a body', 'trickles a body', 'trickles a chunked body']) {
    const responses = readResponses(slow[name]?.received() ?? '')
    expect(responses.map(({ status }) => status)).toEqual([408])
    expect(responses[0]?.head).toMatch(/^connection: close\r?$/im)
  }
  expect(served).toBeGreaterThan(0)
})

test.concurrent('a keep-alive connection stays open longer than that of a proxy and serves the next request', async () => {
  // With a key: on an overloaded machine a connection without one is closed after its response.
  const [kept, long] = [1, 100].map((limit) =>
    openConnection(program.url, (socket) => socket.write(head('GET', `/api/devices?limit=${limit}`))),
  ) as [RawConnection, RawConnection]
  await Promise.race([Promise.all([kept.closed, long.closed]), Bun.sleep(20_000)])
  const statuses = ({ received }: RawConnection) => readResponses(received()).map(({ status }) => status)
  for (const connection of [kept, long]) connection.socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  await waitUntil(() => [kept, long].every((one) => statuses(one).length === 2), { describe: 'the second responses' })
  for (const connection of [kept, long]) {
    expect(statuses(connection)).toEqual([200, 200])
    connection.socket.destroy()
  }
})
