import { afterAll, beforeAll, expect, test } from 'bun:test'
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { newDataDir, PROGRAM, type RunningProgram, runProgram, shownKeys, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const folder = newDataDir()
const file = (name: string) => join(folder, name)
let program: RunningProgram
let headers: Record<string, string>

beforeAll(async () => {
  program = await startProgram({ DATA_DIR: file('served'), RATE_LIMIT_ENTERPRISE: '10000000' })
  const key = shownKeys(program.stderr()).enterprise
  headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
})
afterAll(async () => {
  if (program) await program.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Lookup = { lookup_id: string }

async function lookup(url: string, n: number): Promise<string> {
  const body = JSON.stringify({ identifier: String(35_000_000_000_000 + n * 7_919) })
  const response = await fetch(`${url}/api/imei`, { method: 'POST', headers, body })
  if (response.status !== 200) throw new Error(`a lookup was answered with ${response.status}`)
  return ((await response.json()) as { data: Lookup }).data.lookup_id
}

async function history(url: string): Promise<Map<string, string>> {
  const kept = new Map<string, string>()
  for (let after: string | null = ''; after !== null; ) {
    const response = await fetch(`${url}/api/imei?limit=100&after=${after}`, { headers })
    const { data, meta } = (await response.json()) as { data: Lookup[]; meta: { next_after: string | null } }
    for (const record of data) kept.set(record.lookup_id, JSON.stringify(record))
    after = meta.next_after
  }
  return kept
}

test('a backup under load is consistent and contains everything acknowledged before it began', async () => {
  const acknowledged: string[] = []
  let writing = true
  let sent = 0
  const senders = Array.from({ length: 8 }, async () => {
    while (writing) acknowledged.push(await lookup(program.url, sent++))
  })
  await waitUntil(() => acknowledged.length >= 300, { describe: '300 lookups' })
  const before = [...acknowledged]
  // Slow enough for hundreds of commits and several checkpoints between its steps.
  const backup = await runProgram(['backup', file('copy.sqlite'), '--rate', '8', '--json'], program.environment)
  const during = acknowledged.length - before.length
  writing = false
  await Promise.all(senders)
  expect(backup.stderr).not.toContain('wrong')
  expect(backup.code).toBe(0)
  expect(during).toBeGreaterThan(100)
  const report = JSON.parse(backup.stdout)
  expect(report).toMatchObject({ file: file('copy.sqlite'), bytes: statSync(file('copy.sqlite')).size })
  expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.sqlite'])

  const check = await runProgram(['restore', file('copy.sqlite'), '--check', '--json'])
  expect(check.code).toBe(0)
  expect(JSON.parse(check.stdout)).toMatchObject({ sound: true, problems: [], wrong_totals: [] })

  const restored = await runProgram(['restore', file('copy.sqlite'), '--json'], { DATA_DIR: file('restored') })
  expect(restored.code).toBe(0)
  const lookups = JSON.parse(check.stdout).tables.lookup.rows
  expect(JSON.parse(restored.stdout)).toMatchObject({ from: file('copy.sqlite'), replaced: null, lookup: lookups })
  const second = await startProgram({ DATA_DIR: file('restored') })
  const [original, copied] = [await history(program.url), await history(second.url)]
  expect(await second.stop()).toBe(0)
  expect(before.filter((id) => !copied.has(id))).toEqual([])
  // Later records are complete or missing.
  expect([...copied].filter(([id, response]) => original.get(id) !== response)).toEqual([])
})

test('a backup overwrites nothing, and a failure is reported in one sentence', async () => {
  writeFileSync(file('mine.txt'), 'mine')
  for (const [args, environment, says] of [
    [['backup', file('mine.txt')], program.environment, 'already exists'],
    [['backup', file('no/such/folder')], program.environment, '(ENOENT).'],
    [['backup', file('new.sqlite')], { DATA_DIR: file('nowhere') }, 'There is no database'],
    [['backup', file('new.sqlite')], { DATABASE_URL: 'postgres://127.0.0.1:1/x' }, 'Database unavailable'],
  ] as const) {
    const { code, stdout, stderr } = await runProgram([...args], { ...environment })
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, stdout: '', lines: 1 })
    expect(stderr).toContain(says)
  }
  expect(existsSync(file('new.sqlite'))).toBe(false)
})

test('a killed backup leaves nothing in the way of the next one', async () => {
  const killed = Bun.spawn([PROGRAM, 'backup', file('killed.sqlite'), '--rate', '0.5'], {
    env: { ...process.env, ...program.environment },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const partial = () => readdirSync(folder).filter((name) => name.startsWith('killed.sqlite.part'))
  await waitUntil(() => partial().length > 0, { describe: 'the copy to begin' })
  killed.kill('SIGKILL')
  await killed.exited
  const { code, stderr } = await runProgram(['backup', file('killed.sqlite')], program.environment)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(partial()).toEqual([])
})

test('of two backups to one file at the same time one is refused and the other is complete', async () => {
  const backup = () => runProgram(['backup', file('twice.sqlite'), '--rate', '20'], program.environment)
  const runs = await Promise.all([backup(), backup()])
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 1])
  expect(runs.find(({ code }) => code === 1)?.stderr).toContain('already exists')
  expect((await runProgram(['restore', file('twice.sqlite'), '--check'], program.environment)).code).toBe(0)
})

test('a restore rejects a database in use and keeps the replaced one', async () => {
  const copy = file('whole.sqlite')
  expect((await runProgram(['backup', copy], program.environment)).code).toBe(0)
  const inUse = await runProgram(['restore', copy, '--replace'], program.environment)
  expect(inUse).toMatchObject({ code: 1, stdout: '' })
  expect(inUse.stderr).toContain('is in use')
  expect((await fetch(`${program.url}/api/devices?limit=1`, { headers })).status).toBe(200)
  expect(await lookup(program.url, 1)).toStartWith('lkp_')

  const DATA_DIR = file('idle')
  const organization = await runProgram(['org', 'create', 'Idle'], { DATA_DIR })
  const there = await runProgram(['restore', copy], { DATA_DIR })
  expect(there).toMatchObject({ code: 1, stdout: '' })
  expect(there.stderr).toContain('--replace')
  const replaced = await runProgram(['restore', copy, '--replace', '--json'], { DATA_DIR })
  expect(replaced.code).toBe(0)
  expect((await runProgram(['org', 'list'], { DATA_DIR })).stdout).toContain('My organization')
  const aside = JSON.parse(replaced.stdout).replaced as string
  const kept = await runProgram(['restore', aside, '--check', '--json'])
  expect(JSON.parse(kept.stdout)).toMatchObject({ sound: true, tables: { organization: { rows: 1, whole: true } } })
  expect(organization.stdout).toStartWith('org_')
})

test('the check of a damaged database lists what is still readable, and a damaged backup is never restored', async () => {
  for (let n = 0; n < 400; n++) await lookup(program.url, n)
  const damaged = file('damaged.sqlite')
  expect((await runProgram(['backup', damaged], program.environment)).code).toBe(0)
  const whole = JSON.parse((await runProgram(['restore', damaged, '--check', '--json'])).stdout)
  // Pages in the middle, far behind the schema on the first pages.
  const handle = openSync(damaged, 'r+')
  const { size } = statSync(damaged)
  writeSync(handle, new Uint8Array(200 * 4096).fill(0xa5), 0, 200 * 4096, Math.floor(size / 2 / 4096) * 4096)
  closeSync(handle)

  const check = await runProgram(['restore', damaged, '--check', '--json'])
  expect(check.code).toBe(1)
  const found = JSON.parse(check.stdout)
  expect(found.sound).toBe(false)
  expect(found.problems.length).toBeGreaterThan(0)
  const hurt = Object.entries<{ rows: number; whole: boolean }>(found.tables).filter(([, table]) => !table.whole)
  expect(hurt.length).toBeGreaterThan(0)
  for (const [name, { rows }] of hurt) expect(rows).toBeLessThan(whole.tables[name].rows)
  expect(found.tables.organization).toEqual(whole.tables.organization)

  const restored = await runProgram(['restore', damaged], { DATA_DIR: file('from-damaged') })
  expect(restored).toMatchObject({ code: 1, stdout: '' })
  expect(restored.stderr).toContain('nothing was restored')
  expect(existsSync(file('from-damaged'))).toBe(false)

  writeFileSync(file('text.sqlite'), 'not a store at all, but long enough to be looked at')
  const text = await runProgram(['restore', file('text.sqlite'), '--check'])
  expect(text).toMatchObject({ code: 1, stdout: '', stderr: `${file('text.sqlite')} is not an SQLite file.\n` })
})
