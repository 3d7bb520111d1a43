import { expect, test } from 'bun:test'
import { type RunningProgram, shownKeys, startProgram } from '../support/program.ts'
import { openConnection, readResponses } from '../support/raw-http.ts'
import { waitUntil } from '../support/wait.ts'

/** `STOPS=100` for the long run. */
const STOPS = Number(process.env.STOPS ?? 2)
const KEPT_CONNECTIONS = 12
const NEW_CONNECTIONS = 6

type Tally = { answered: number; cut: number; bad: string[] }

/** Sends the next request after each response, until the connection closes or the port no longer accepts. */
async function keepAsking(url: string, request: string, isKept: boolean, tally: Tally): Promise<void> {
  for (;;) {
    let sent = 0
    let responseCount = 0
    const connection = openConnection(url, (socket) => {
      sent = 1
      socket.write(request)
    })
    let read = ''
    connection.socket.on('data', () => {
      const [response] = readResponses(connection.received().slice(read.length))
      if (!response) return
      read = connection.received()
      responseCount++
      tally.answered++
      if (response.status !== 200) tally.bad.push(response.head)
      if (!isKept || /^connection: close\r?$/im.test(response.head)) {
        connection.socket.end()
      } else {
        sent++
        connection.socket.write(request)
      }
    })
    await connection.closed
    if (sent === 0) return
    if (responseCount < sent) tally.cut++
  }
}

for (const [name, environment] of [
  ['one process', {}],
  ['several workers', { WORKERS: '2' }],
] as const) {
  test(
    `SIGTERM under load, ${name}: every accepted request gets its response, and the exit code is 0`,
    async () => {
      const body = '{"identifier":"490154203237518","identifier_type":"imei"}'
      for (let stop = 0; stop < STOPS; stop++) {
        const program: RunningProgram = await startProgram({ RATE_LIMIT_ENTERPRISE: '1000000', ...environment })
        const key = shownKeys(program.stderr()).enterprise
        const reading = `GET /api/devices?limit=20 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`
        const lookup = `POST /api/imei HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        const tally: Tally = { answered: 0, cut: 0, bad: [] }
        const asking = [
          ...Array.from({ length: KEPT_CONNECTIONS }, (_, at) =>
            keepAsking(program.url, at % 2 ? reading : lookup, true, tally),
          ),
          ...Array.from({ length: NEW_CONNECTIONS }, (_, at) =>
            keepAsking(program.url, at % 2 ? reading : lookup, false, tally),
          ),
        ]
        await waitUntil(() => tally.answered > 100 + stop * 7, { describe: 'responses before the stop', everyMs: 1 })
        expect(await program.stop()).toBe(0)
        await Promise.all(asking)
        expect(tally).toMatchObject({ cut: 0, bad: [] })
      }
    },
    240_000 + STOPS * 15_000,
  )
}

test('SIGTERM: /readyz is 503 at once, requests are served without delay for DRAIN_S, and the exit code is 0', async () => {
  const program = await startProgram({ DRAIN_S: '4' })
  const key = shownKeys(program.stderr()).public
  const status = async (path: string) => {
    const response = await fetch(`${program.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })
    return [response.status, response.headers.get('connection'), await response.text()]
  }
  const [code, , body] = await status('/readyz')
  expect([code, body]).toEqual([200, '{"status":"ready"}'])
  program.kill('SIGTERM')
  await waitUntil(async () => (await status('/readyz'))[0] === 503, { describe: '/readyz to be 503' })
  expect((await status('/readyz'))[2]).toBe('{"status":"stopping"}')
  // If responses were delayed, not even the first would arrive before the port closes.
  for (let read = 0; read < 50; read++) {
    expect((await status('/api/devices?limit=1')).slice(0, 2)).toEqual([200, 'close'])
  }
  expect(await program.exited).toBe(0)
})
