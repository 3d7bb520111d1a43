import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const DATA_DIR = filledDataDir('small')
const settings = { DATA_DIR, SAMPLE_DATA: 'off', LOG_LEVEL: 'error' }
let program: RunningProgram
let key = ''

beforeAll(async () => {
  const organization = (await runProgram(['org', 'create', 'Listing'], settings)).stdout.trim()
  const create = ['key', 'create', '--org', organization, '--tier', 'enterprise']
  key = (await runProgram(create, settings)).stdout.trim()
  program = await startProgram(settings)
})
afterAll(async () => {
  await program.stop()
  rmSync(DATA_DIR, { recursive: true, force: true })
})

async function status(identifier: string): Promise<string> {
  const response = await fetch(`${program.url}/api/imei`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ identifier }),
  })
  const { data } = (await response.json()) as { data: { blacklist_status: string; source: string } }
  return `${data.blacklist_status} by ${data.source}`
}

const becomes = (identifier: string, expected: string) =>
  waitUntil(async () => (await status(identifier)) === expected, { describe: `${identifier} ${expected}` })

async function importList(name: string, text: string, ...more: string[]): Promise<void> {
  const file = join(DATA_DIR, name)
  writeFileSync(file, text)
  const ran = await runProgram(['import', 'lists', file, ...more], settings)
  expect(ran.code).toBe(0)
}

test('a list imported while the service runs applies without a restart, as does its removal', async () => {
  expect(await status('356938035643809')).toBe('unknown by none')
  const stolen = 'imei,reporting_date,status\n356938035643809,20240102,\n490154203237518,,pending\n'
  await importList('stolen.csv', stolen, '--clears', '--area', 'DE', '--max-age-days', '7')
  await becomes('35-693803-564380-9', 'blacklisted by registry')
  expect(await status('490154203237518')).toBe('pending by registry')
  expect(await status('354178036859789')).toBe('clean by registry')
  await importList('delta.csv', 'imei,reporting_date,status,change_type\n356938035643809,20240102,,remove\n')
  await becomes('356938035643809', 'clean by registry')
  await importList('tacs.csv', 'tac\n35693803\n')
  await becomes('356938035643809', 'blacklisted by registry')
})
