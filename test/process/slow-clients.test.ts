import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type RunningProgram, shownKeys, startProgram } from '../support/program.ts'
import { openConnection, type RawConnection, readResponses, trickle } from '../support/raw-http.ts'

const CLOSED_WITHIN_MS = 15_000

let program: RunningProgram
let keys: ReturnType<typeof shownKeys>
beforeAll(async () => {
  program = await startProgram()
  keys = shownKeys(program.stderr())
})
afterAll(() => program.stop())

const head = (method: string, path: string, more: string[] = []) =>
  [`${method} ${path} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${keys.enterprise}`, ...more, '', ''].join('\r\n')
const json = 'Content-Type: application/json'

// Both do little but wait, so they wait together.
test.concurrent('whoever sends or reads slowly is closed within 15 s, while others are served', async () => {
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
      const answer = await fetch(`${program.url}/api/devices?limit=1`, {
        headers: { Authorization: `Bearer ${keys.public}` },
      })
      expect(answer.status).toBe(200)
      served++
      await Bun.sleep(200)
    }
  })()
  const late: string[] = []
  await Promise.all(
    Object.entries(slow).map(async ([name, { closed, socket }]) => {
      const tookMs = await Promise.race([
        closed,
        Bun.sleep(CLOSED_WITHIN_MS + 1_500).then(() => Number.POSITIVE_INFINITY),
      ])
      if (tookMs > CLOSED_WITHIN_MS) {
        // A reader that sleeps sees the end only when it looks.
        socket.resume()
        const seen = await Promise.race([closed, Bun.sleep(500).then(() => undefined)])
        if (seen === undefined) late.push(name)
      }
      socket.destroy()
    }),
  )
  isOver = true
  await others
  expect(late).toEqual([])
  for (const name of ['stops inside a body', 'trickles a body', 'trickles a chunked body']) {
    const answers = readResponses(slow[name]?.received() ?? '')
    expect(answers.map(({ status }) => status)).toEqual([408])
    expect(answers[0]?.head).toMatch(/^connection: close\r?$/im)
  }
  expect(served).toBeGreaterThan(20)
}, 40_000)

test.concurrent('a connection that was answered is kept for longer than a proxy keeps it, and is answered again', async () => {
  // With a key: where the machine has more to do than it can, a stranger's connection is closed behind its answer.
  const [kept, long] = [1, 100].map((limit) =>
    openConnection(program.url, (socket) => socket.write(head('GET', `/api/devices?limit=${limit}`))),
  ) as [RawConnection, RawConnection]
  await Promise.race([Promise.all([kept.closed, long.closed]), Bun.sleep(20_000)])
  const statuses = ({ received }: RawConnection) => readResponses(received()).map(({ status }) => status)
  for (const connection of [kept, long]) connection.socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  const until = performance.now() + 5_000
  while ([kept, long].some((one) => statuses(one).length < 2) && performance.now() < until) await Bun.sleep(50)
  for (const connection of [kept, long]) {
    expect(statuses(connection)).toEqual([200, 200])
    connection.socket.destroy()
  }
}, 30_000)

test('four hundred connections that say nothing keep nobody from being served', async () => {
  const idle = Array.from({ length: 400 }, () => openConnection(program.url, (socket) => socket.write('GET /api/dev')))
  const from = performance.now()
  const answer = await fetch(`${program.url}/api/devices?limit=1`, {
    headers: { Authorization: `Bearer ${keys.public}` },
  })
  expect(answer.status).toBe(200)
  expect(performance.now() - from).toBeLessThan(2_000)
  for (const { socket } of idle) socket.destroy()
}, 20_000)
