import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type RunningProgram, runProgram, shownKeys, startProgram } from '../support/program.ts'

const root = join(import.meta.dir, '../..')
/** The executable that the runner built for the run; built here if a test runs alone. */
const executable = process.env.TEST_PROGRAM ?? join(root, 'dist/device-intelligence')
let program: RunningProgram

beforeAll(async () => {
  if (!process.env.TEST_PROGRAM) {
    const build = await runProgram([join(root, 'scripts/build.ts')], {}, [process.execPath])
    if (build.code !== 0) throw new Error(build.stderr)
  }
  program = await startProgram({}, [executable])
})
afterAll(async () => {
  await program.stop()
})

test('the one-file executable serves the bundled catalogue', async () => {
  const headers = { Authorization: `Bearer ${shownKeys(program.stderr()).public}` }
  const response = await fetch(`${program.url}/api/devices?search=iphone+13&limit=1`, { headers })
  expect(response.status).toBe(200)
  expect(((await response.json()) as { data: { make: { name: string } }[] }).data[0]?.make.name).toBe('Apple')
})

test('the one-file executable contains its pages', async () => {
  const page = await fetch(`${program.url}/docs`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('/api/devices')
  expect((await fetch(`${program.url}/docs/reference.css`)).status).toBe(200)
  const dashboard = await (await fetch(`${program.url}/dashboard`)).text()
  const script = /src="([^"]+\.js)"/.exec(dashboard)?.[1]
  expect((await (await fetch(`${program.url}${script}`)).text()).length).toBeGreaterThan(100_000)
})

test('the one-file executable has the whole command line', async () => {
  const created = await runProgram(['org', 'create', 'From one file'], program.environment, [executable])
  expect(created.stdout).toMatch(/^org_\w+\n$/)
})

test('the one-file executable writes lookups off the event loop, as the program does', async () => {
  const headers = {
    Authorization: `Bearer ${shownKeys(program.stderr()).enterprise}`,
    'Content-Type': 'application/json',
  }
  const body = JSON.stringify({ identifier: '100000010000015' })
  const response = await fetch(`${program.url}/api/imei`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  const { data } = (await response.json()) as { data: unknown }
  const history = (await (await fetch(`${program.url}/api/imei`, { headers })).json()) as { data: unknown[] }
  expect(history.data).toEqual([data])
})
