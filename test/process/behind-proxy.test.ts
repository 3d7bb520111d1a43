import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generateKey } from '../../src/auth/api-key.ts'
import { type RunningProgram, shownKeys, startProgram } from '../support/program.ts'
import { startOnSqlite } from '../support/service.ts'

const ADDRESS_LIMIT = 20
const SIGN_INS_PER_MINUTE = 300

let program: RunningProgram
const proxies: { stop(closeNow: boolean): Promise<void> }[] = []
beforeAll(async () => {
  program = await startProgram({ TRUST_PROXY: '1', RATE_LIMIT_ADDRESS: String(ADDRESS_LIMIT) })
})
afterAll(async () => {
  for (const proxy of proxies) await proxy.stop(true)
  await program.stop()
})

/** A typical proxy: forwards the request and appends the client address to X-Forwarded-For. */
function proxyFor(caller: string, { url } = program as { url: string }): string {
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.append('X-Forwarded-For', caller)
      const { method, body } = request
      return fetch(`${url}${pathname}${search}`, { method, headers, body, decompress: false })
    },
  })
  proxies.push(proxy)
  return `http://127.0.0.1:${proxy.port}`
}

/** A forged client address, a different one for each request. */
const forged = (at: number) => ({ 'X-Forwarded-For': `203.0.113.${at % 250}, 10.0.0.${at % 250}` })

test('forged X-Forwarded-For entries do not raise the number of wrong keys allowed per address', async () => {
  const [mine, theirs] = [proxyFor('198.51.100.7'), proxyFor('198.51.100.8')]
  const show = async (proxy: string, key: string, at: number) =>
    (await fetch(`${proxy}/api/devices?limit=1`, { headers: { Authorization: `Bearer ${key}`, ...forged(at) } })).status
  const statuses: number[] = []
  for (let at = 0; at < ADDRESS_LIMIT + 10; at++) statuses.push(await show(mine, generateKey('public'), at))
  expect(statuses.slice(0, ADDRESS_LIMIT)).toEqual(Array(ADDRESS_LIMIT).fill(401))
  expect(statuses.slice(-5)).toEqual(Array(5).fill(429))
  expect(await show(theirs, generateKey('public'), 0)).toBe(401)
  expect(await show(mine, shownKeys(program.stderr()).public, 0)).toBe(200)
})

test('nor the number of password attempts', async () => {
  // In this process, where passwords are checked quickly: all attempts are made within the minute.
  await using service = await startOnSqlite({ SAMPLE_DATA: 'off', TRUST_PROXY: '1' })
  const [mine, theirs] = [proxyFor('198.51.100.17', service), proxyFor('198.51.100.18', service)]
  const signIn = async (proxy: string, at: number) => {
    const response = await fetch(`${proxy}/account/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: service.url, ...forged(at) },
      body: JSON.stringify({ email: `nobody-${at}@example.test`, password: 'a guess of many' }),
    })
    return response.status
  }
  const statuses: number[] = []
  for (let at = 0; at < SIGN_INS_PER_MINUTE + 3; at++) statuses.push(await signIn(mine, at))
  expect(statuses.slice(0, SIGN_INS_PER_MINUTE)).toEqual(Array(SIGN_INS_PER_MINUTE).fill(401))
  expect(statuses.slice(SIGN_INS_PER_MINUTE)).toEqual([429, 429, 429])
  expect(await signIn(theirs, 1_000)).toBe(401)
})
