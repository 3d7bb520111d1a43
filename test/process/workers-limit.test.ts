import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type RunningProgram, runProgram, startProgram } from '../support/program.ts'

const LIMIT = 300
let program: RunningProgram

beforeAll(async () => {
  program = await startProgram({ WORKERS: '2', RATE_LIMIT_PUBLIC: String(LIMIT), SAMPLE_DATA: 'off' })
})
afterAll(async () => {
  await program?.stop()
})

async function newKey(): Promise<string> {
  const organization = (await runProgram(['org', 'create', 'Workers'], program.environment)).stdout.trim()
  const create = ['key', 'create', '--org', organization, '--tier', 'public']
  return (await runProgram(create, program.environment)).stdout.trim()
}

async function statusesOf(key: string, callers: number, requests: number): Promise<number[]> {
  const statuses: number[] = []
  let sent = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (sent++ < requests) {
        // Connections are distributed over the processes, so each request uses a new one.
        const headers = { Authorization: `Bearer ${key}`, ...(callers > 1 ? { Connection: 'close' } : {}) }
        const response = await fetch(`${program.url}/api/devices?limit=1`, { headers })
        await response.arrayBuffer()
        statuses.push(response.status)
      }
    }),
  )
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  return statuses
}

test('two workers without Redis allow one limit, not two', async () => {
  const key = await newKey()
  const from = performance.now()
  const statuses = await statusesOf(key, 16, LIMIT * 4)
  // Requests that become available again during the run pass too.
  const minutes = (performance.now() - from) / 60_000
  const count = statuses.filter((status) => status === 200).length
  expect(count).toBeGreaterThanOrEqual(LIMIT * 0.95)
  expect(count).toBeLessThanOrEqual(LIMIT * (1.05 + minutes))
})

test('a client whose connection stays with one worker gets the whole limit', async () => {
  // Until the first 429: on a busy machine the connection is closed after it, and the next may go to another worker.
  expect((await statusesOf(await newKey(), 1, LIMIT + 40)).indexOf(429)).toBe(LIMIT)
})
