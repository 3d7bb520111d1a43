import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../support/postgres.ts'
import { newDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'

const folder = newDataDir()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NEEDS_A_STORE = [
  ['status'],
  ['status', '--json'],
  ['org', 'list'],
  ['api', 'PATCH', '/api/manage/organizations/org_x', 'tier=paid'],
  ['key', 'list', '--org', 'org_x'],
  ['key', 'create', '--org', 'org_x', '--tier', 'paid'],
  ['key', 'revoke', 'key_x'],
  ['key', 'rotate', 'key_x'],
  ['user', 'create', '--email', 'ada@shop.example', '--org', 'org_x'],
  ['export', 'lookups', '--org', 'org_x'],
  ['export', 'catalogue'],
  ['import', 'undo', 'imp_x'],
]

describe('without a database', () => {
  for (const args of NEEDS_A_STORE) {
    test(`${args.join(' ')} reports that and creates none`, async () => {
      const DATA_DIR = join(folder, 'nowhere')
      const ran = await runProgram(args, { DATA_DIR })
      expect(ran.code).toBe(1)
      if (args.includes('--json')) expect(JSON.parse(ran.stdout).error.message).toContain(DATA_DIR)
      else expect(ran.stdout).toBe('')
      expect(ran.stderr).toStartWith(`There is no database in ${DATA_DIR}.`)
      expect(ran.stderr).toContain('DATA_DIR')
      expect(existsSync(DATA_DIR)).toBe(false)
    })
  }

  test('org create creates one and prints where', async () => {
    const DATA_DIR = join(folder, 'made')
    const first = await runProgram(['org', 'create', 'First'], { DATA_DIR })
    expect(first.stdout).toMatch(/^org_\w+\n$/)
    expect(first.stderr).toContain(`Created a new database in ${DATA_DIR}`)
    expect((await runProgram(['org', 'create', 'Second'], { DATA_DIR })).stderr).not.toContain('new database')
  })

  test('an empty PostgreSQL database stays empty', async () => {
    const postgres = await startPostgres()
    if (!postgres) return
    const DATABASE_URL = await postgres.createDatabase()
    for (const args of [['status'], ['org', 'list']]) {
      const ran = await runProgram(args, { DATABASE_URL })
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toStartWith('There is no database at DATABASE_URL.')
    }
    expect((await runProgram(['org', 'create', 'First'], { DATABASE_URL })).code).toBe(0)
    expect((await runProgram(['org', 'list'], { DATABASE_URL })).stdout).toContain('First')
  })
})

describe('with a service on another database', () => {
  let program: RunningProgram
  beforeAll(async () => {
    program = await startProgram({ SAMPLE_DATA: 'off', LOG_LEVEL: 'error' })
  })
  afterAll(async () => {
    await program.stop()
  })

  test('status does not mix the two', async () => {
    const elsewhere = { PORT: program.environment.PORT ?? '', DATA_DIR: join(folder, 'second') }
    const none = await runProgram(['status'], elsewhere)
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toContain(`A service responds at ${program.url}, with another database.`)

    await runProgram(['org', 'create', 'Second'], elsewhere)
    const second = await runProgram(['status', '--json'], elsewhere)
    expect(JSON.parse(second.stdout)).toMatchObject({ serving: false, data_dir: elsewhere.DATA_DIR, organization: 1 })
    expect(second.stderr).toContain(`A service responds at ${program.url}, with another database.`)

    const own = await runProgram(['status', '--json'], program.environment)
    expect(JSON.parse(own.stdout)).toMatchObject({ serving: true, data_dir: program.dataDir })
    expect(own.stderr).toBe('')
  })

  test('status finds the service of its own database on another port', async () => {
    const { PORT: _, ...environment } = program.environment
    const ran = await runProgram(['status', '--json'], { ...environment, PORT: '9' })
    expect(JSON.parse(ran.stdout)).toMatchObject({ serving: true, url: program.url })
    expect(ran.stderr).toContain(`This database is served at ${program.url}; PORT here is 9.`)
  })
})
