import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type RunningProgram, runProgram, shownKeys, startProgram } from '../support/program.ts'
import { openConnection, readResponses } from '../support/raw-http.ts'
import { waitUntil } from '../support/wait.ts'

const CONNECTIONS = 400
const LOOKUPS = 100

let program: RunningProgram
let others = ''
beforeAll(async () => {
  program = await startProgram({ RATE_LIMIT_ENTERPRISE: '1000000' })
  const organization = (await runProgram(['org', 'create', 'Others'], program.environment)).stdout.trim()
  const create = ['key', 'create', '--org', organization, '--tier', 'enterprise']
  others = (await runProgram(create, program.environment)).stdout.trim()
})
afterAll(() => program.stop())

test('unfinished bodies take no capacity from other organizations, and some of them are rejected with 503', async () => {
  const { enterprise } = shownKeys(program.stderr())
  const unfinishedRequest = `POST /api/imei HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${enterprise}\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"iden`
  const open = Array.from({ length: CONNECTIONS }, () =>
    openConnection(program.url, (socket) => socket.write(unfinishedRequest)),
  )
  const rejected = () => open.filter(({ received }) => readResponses(received())[0]?.status === 503)
  await waitUntil(() => rejected().length > 0, { describe: 'a body to be rejected' })
  const statuses = await Promise.all(
    Array.from({ length: LOOKUPS }, async () => {
      const response = await fetch(`${program.url}/api/imei`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${others}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ identifier: '490154203237518' }),
      })
      await response.arrayBuffer()
      return response.status
    }),
  )
  expect(statuses).toEqual(Array(LOOKUPS).fill(200))
  expect(rejected().length).toBeLessThan(CONNECTIONS)
  for (const { socket } of open) socket.destroy()
})
