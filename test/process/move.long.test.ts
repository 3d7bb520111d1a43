import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { copyFilled } from '../support/filled-database.ts'
import { startPostgres } from '../support/postgres.ts'
import { newDataDir, PROGRAM, type RunningProgram, runProgram, shownKeys, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

/** The key of a database moves with it. */
const SECRET_KEY = 'key of both databases'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
const folder = newDataDir()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const VARIANT = 'apple-iphone-13-128gb-midnight'
const PATHS = [
  '/api/devices?limit=50&search=iphone',
  '/api/variants?limit=20&make=samsung',
  `/api/repairs?variant_id=${VARIANT}`,
  '/api/imei?limit=100',
  '/api/appraisals?limit=20',
]

type Caller = (program: RunningProgram, path: string, body?: object) => Promise<{ status: number; data: unknown }>

const callerWith =
  (key: string): Caller =>
  async (program, path, body) => {
    const response = await fetch(program.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, data: ((await response.json()) as { data?: unknown }).data }
  }

async function answersOf(call: Caller, program: RunningProgram): Promise<unknown[]> {
  const responses: unknown[] = []
  for (const path of PATHS) {
    // A busy machine may exceed the statement timeout of a server, which then responds with 503.
    const { status, data } = await waitUntil(
      async () => {
        const response = await call(program, path)
        return response.status === 503 ? undefined : response
      },
      { describe: `a response other than 503 from ${path}` },
    )
    expect({ path, status }).toEqual({ path, status: 200 })
    // Thumbnails contain the address that the program listens on.
    responses.push(JSON.parse(JSON.stringify(data).replaceAll(program.url, '')))
  }
  return responses
}

const identifierOf = (n: number) => ({ identifier: String(35_000_000_000_000 + n * 7_919) })

if (postgres) {
  test('a database moves to PostgreSQL and back with the same responses each time, and only while no service runs', async () => {
    const url = await postgres.createDatabase()
    mkdirSync(join(folder, 'old'), { mode: 0o700 })
    copyFilled(join(folder, 'old'), 'small')
    const old = await startProgram({ SECRET_KEY, DATA_DIR: join(folder, 'old'), RATE_LIMIT_ENTERPRISE: '1000000' })
    const call = callerWith(shownKeys(old.stderr()).enterprise)
    const acknowledged: string[] = []
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; n < 50; n++) {
        const { data } = await call(old, '/api/imei', identifierOf(writer * 50 + n))
        acknowledged.push((data as { lookup_id: string }).lookup_id)
      }
    })
    await call(old, '/api/appraisals', { variant_id: VARIANT, condition: 'Good', reference: 'R-1' })
    const rejected = await runProgram(['move', '--to', url], old.environment)
    expect(rejected).toMatchObject({ code: 1, stdout: '' })
    expect(rejected.stderr).toContain('Stop it first')
    await Promise.all(writers)
    const before = await answersOf(call, old)
    expect(await old.stop()).toBe(0)
    const moved = await runProgram(['move', '--to', url, '--json'], old.environment)
    expect(moved.stderr).toContain('Moved to postgres://')
    expect(moved.code).toBe(0)

    const later = await runProgram(['org', 'list'], old.environment)
    expect(later).toMatchObject({ code: 1, stdout: '' })
    expect(later.stderr).toContain('was moved to postgres://')

    const second = await startProgram({ SECRET_KEY, DATABASE_URL: url, DATA_DIR: join(folder, 'none') })
    expect(await answersOf(call, second)).toEqual(before)
    const kept = new Set<string>()
    for (let page = 1; ; page++) {
      const { data } = await call(second, `/api/imei?limit=100&page=${page}`)
      for (const { lookup_id } of data as { lookup_id: string }[]) kept.add(lookup_id)
      if ((data as unknown[]).length === 0) break
    }
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
    // Sequences continue where they were.
    expect((await call(second, '/api/imei', identifierOf(7))).status).toBe(200)
    const grown = await answersOf(call, second)
    expect(await second.stop()).toBe(0)

    const back = await runProgram(['move', '--to', join(folder, 'back'), '--json'], { DATABASE_URL: url })
    expect(back.code).toBe(0)
    const third = await startProgram({ SECRET_KEY, DATA_DIR: join(folder, 'back') })
    expect(await answersOf(call, third)).toEqual(grown)
    expect((await call(third, '/api/imei', identifierOf(8))).status).toBe(200)
    expect(await third.stop()).toBe(0)
    const sums = (text: string) =>
      new Map(
        (JSON.parse(text).tables as { table: string; checksum: string }[]).map((sum) => [sum.table, sum.checksum]),
      )
    for (const table of ['device', 'variant', 'observation', 'repair_fact', 'organization'])
      expect(sums(back.stdout).get(table)).toBe(sums(moved.stdout).get(table))
    const check = await runProgram(['status', '--check'], { DATA_DIR: join(folder, 'back') })
    expect(check.stdout).toContain('The database is healthy.')
    expect(check.code).toBe(0)
  })

  test('a killed move starts again, and an incomplete database is never served', async () => {
    const url = await postgres.createDatabase()
    const DATA_DIR = join(folder, 'cut-off')
    const source = await startProgram({ SECRET_KEY, DATA_DIR })
    expect(await source.stop()).toBe(0)
    const cut = Bun.spawn([PROGRAM, 'move', '--to', url], {
      env: { PATH: process.env.PATH ?? '', HOME: '/', DATA_DIR },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await copying(url)
    cut.kill('SIGKILL')
    await cut.exited
    await expect(startProgram({ SECRET_KEY, DATABASE_URL: url, DATA_DIR: join(folder, 'none') })).rejects.toThrow(
      'is being filled by a move or restore that has not ended',
    )
    // The old database was not changed.
    expect((await runProgram(['org', 'create', 'Later'], { DATA_DIR })).code).toBe(0)
    const again = await runProgram(['move', '--to', url], { DATA_DIR })
    expect(again.code).toBe(0)
    expect((await runProgram(['org', 'list'], { DATABASE_URL: url })).stdout).toContain('Later')

    const another = { DATA_DIR: join(folder, 'another') }
    expect((await runProgram(['org', 'create', 'Another'], another)).code).toBe(0)
    const full = await runProgram(['move', '--to', url], another)
    expect(full).toMatchObject({ code: 1, stdout: '' })
    expect(full.stderr).toContain('There is already a database in')

    expect((await runProgram(['org', 'create', 'Too late'], { DATA_DIR })).code).toBe(1)
    expect((await runProgram(['move', '--reopen'], { DATA_DIR })).code).toBe(0)
    expect((await runProgram(['org', 'create', 'After all'], { DATA_DIR })).code).toBe(0)
  })
}

/** Resolves when some tables have arrived. */
async function copying(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (;;) {
    const { rows } = await client.query<{ found: string | null }>(`select to_regclass('variant')::text as found`)
    if (rows[0]?.found && (await client.query('select 1 from device limit 1')).rows.length > 0) break
    await Bun.sleep(2)
  }
  await client.end()
}
