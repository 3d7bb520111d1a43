import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { luhnDigit } from '../../src/identifier/check-digit.ts'
import { startPostgres } from '../support/postgres.ts'
import { filledDataDir, newDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const keep = (folder: string) => {
  folders.push(folder)
  return folder
}

const DEVICES = 8
const imei = (serial: number) => {
  const digits = `35999977${String(serial).padStart(6, '0')}`
  return digits + luhnDigit(digits)
}

type Answer = { status: number; reason: string | undefined }

type Settings = Record<string, string>

/** Of a key that may pay more than the calculated maximum. */
async function newBuyer(settings: Settings): Promise<string> {
  const run = async (...args: string[]) => (await runProgram(args, settings)).stdout.trim()
  const organization = await run('org', 'create', 'Shop')
  return run('key', 'create', '--org', organization, '--tier', 'enterprise', '--may', 'manage')
}

async function buyEverythingTwice(settings: readonly [Settings, Settings]): Promise<void> {
  const key = await newBuyer(settings[0])
  const programs = await Promise.all(settings.map((one) => startProgram(one)))
  const call = (program: RunningProgram, path: string, json?: object) =>
    fetch(program.url + path, {
      method: json ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(json ? { body: JSON.stringify(json) } : {}),
    })
  const buy = async (program: RunningProgram, identifier: string, more: object = {}): Promise<Answer> => {
    const purchase = { price: 20_000, confirm_amount: true, ...more }
    const request = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good', identifier, purchase }
    const response = await call(program, '/api/appraisals', request)
    const { error } = (await response.json()) as { error?: { reason_code: string } }
    return { status: response.status, reason: error?.reason_code }
  }

  for (let serial = 1; serial <= DEVICES; serial++) {
    const answers = await Promise.all(programs.map((program) => buy(program, imei(serial))))
    expect(answers.sort((left, right) => left.status - right.status)).toEqual([
      { status: 200, reason: undefined },
      { status: 400, reason: 'in_stock' },
    ])
  }
  const [first] = programs as [RunningProgram]
  expect(await buy(first, imei(1), { confirm_duplicate: true })).toMatchObject({ status: 200 })
  const stock = (await (await call(first, '/api/stock?limit=100')).json()) as { data: { number: number }[] }
  expect(stock.data).toHaveLength(DEVICES + 1)
  for (const program of programs) expect(await program.stop()).toBe(0)
}

test('of two purchases of one device in the same instant by two processes, one is rejected on SQLite', () => {
  const settings = { DATA_DIR: keep(filledDataDir('small')) }
  return buyEverythingTwice([settings, settings])
})

test.skipIf(!postgres)('and on PostgreSQL', async () => {
  const DATABASE_URL = (await postgres?.createDatabase(process.env.FILLED_POSTGRES_SMALL)) ?? ''
  const SECRET_KEY = 'two-processes-of-one-test'
  const settings = () => ({ DATABASE_URL, SECRET_KEY, DATA_DIR: keep(newDataDir()) })
  await buyEverythingTwice([settings(), settings()])
})
