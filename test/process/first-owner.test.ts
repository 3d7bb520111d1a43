import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/postgres.ts'
import {
  filledDataDir,
  newDataDir,
  PROGRAM,
  type RunningProgram,
  runInProcess,
  runProgram,
  startProgram,
} from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const CODE = /([0-9A-Z]{4}-){3}[0-9A-Z]{4}/
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('a first start whose stderr is a log', () => {
  let program: RunningProgram
  const file = (name: string) => join(program.dataDir, name)
  beforeAll(async () => {
    program = await startProgram({ DATA_DIR: join(newDataDir(), 'store') })
    // It listens first and prints the rest right after.
    await waitUntil(() => program.stderr().includes('No account exists yet'), {
      describe: 'the set-up code to be announced',
    })
  })
  afterAll(() => program.stop())

  test('writes keys and set-up code into files, prints their paths and the address of the dashboard', () => {
    const output = program.stderr()
    expect(output).toContain(`Dashboard: ${program.url}/dashboard`)
    expect(output).toContain(file('first-keys.txt'))
    expect(output).toContain(file('setup-code.txt'))
    expect(output).not.toMatch(/pk_(pub|paid|ent)_/)
    expect(output).not.toMatch(CODE)
    expect(readFileSync(file('first-keys.txt'), 'utf8').match(/^ +(public|paid|enterprise) +pk_\w+$/gm)).toHaveLength(3)
    expect(readFileSync(file('setup-code.txt'), 'utf8').trim()).toMatch(CODE)
  })

  test('restricts the folder and every file in it to its own user', () => {
    expect(modeOf(program.dataDir)).toBe('700')
    const files = readdirSync(program.dataDir).filter((name) => !name.endsWith('.lock'))
    expect(files).toContain('device-intelligence.sqlite-wal')
    for (const name of files) expect([name, modeOf(file(name))]).toEqual([name, '600'])
  })

  test('the code creates the first owner while the service runs; then the file is deleted', async () => {
    const run = (...args: string[]) => runInProcess(args, program.environment)
    const owner = { organization: 'Shop', email: 'ada@shop.example', password: 'correct horse battery' }
    const code = readFileSync(file('setup-code.txt'), 'utf8').trim()
    const response = await fetch(`${program.url}/account/setup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: program.url },
      body: JSON.stringify({ ...owner, code }),
    })
    expect(response.status).toBe(200)
    expect(existsSync(file('setup-code.txt'))).toBe(false)
    const organizations = JSON.parse((await run('org', 'list', '--json')).stdout)
    const shop = organizations.find(({ name }: { name: string }) => name === 'Shop')
    const members = JSON.parse((await run('api', 'GET', '/api/manage/members')).stdout)
    expect(members).toMatchObject([{ email: 'ada@shop.example', role: 'owner', seen_at: expect.any(String) }])

    const path = `/api/manage/organizations/${shop.id}`
    expect((await run('api', 'PATCH', path, 'name=Corner shop', 'tier=paid')).code).toBe(0)
    expect((await run('org', 'list')).stdout).toMatch(/Corner shop +paid/)
    const invited = await run('user', 'create', '--email', 'bob@shop.example', '--org', shop.id, '--role', 'owner')
    expect({ code: invited.code, link: invited.stdout.startsWith('http') }).toEqual({ code: 0, link: true })
  })
})

/** The output of a start on a terminal, which `script` emulates. */
async function saidToTerminal(environment: Record<string, string>): Promise<string> {
  const child = Bun.spawn(['script', '-qefc', `${PROGRAM} serve`, '/dev/null'], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/',
      PORT: String(await freePort()),
      ...environment,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += Buffer.from(chunk).toString()
    if (output.includes('No account exists yet')) break
  }
  child.kill()
  await child.exited
  return output
}

test('a first start on a terminal prints keys and code and leaves no file with them', async () => {
  const dataDir = newDataDir()
  const output = await saidToTerminal({ DATA_DIR: dataDir })
  expect(output.match(/^ +(public|paid|enterprise) +pk_\w+\r?$/gm)).toHaveLength(3)
  expect(output).toMatch(new RegExp(`set-up code ${CODE.source}`))
  expect(readdirSync(dataDir).filter((name) => name.endsWith('.txt'))).toEqual([])
})

test('without sample data a start explains how to create a key, until there is one', async () => {
  const dataDir = filledDataDir('small')
  const settings = { DATA_DIR: dataDir, SAMPLE_DATA: 'off' }
  const first = await startProgram(settings)
  expect(first.stderr()).toContain('There is no API key yet.')
  expect(first.stderr()).toContain('device-intelligence key create --org ORG_ID --tier public')
  await first.stop()
  const org = (await runProgram(['org', 'create', 'Shop'], settings)).stdout.trim()
  await runProgram(['key', 'create', '--org', org, '--tier', 'public'], settings)
  const second = await startProgram(settings)
  expect(second.stderr()).not.toContain('There is no API key yet.')
  await second.stop()
})
