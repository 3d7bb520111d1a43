import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { filledDataDir, runProgram, startProgram } from '../support/program.ts'

const DATA_DIR = filledDataDir('small')
const settings = { DATA_DIR, SAMPLE_DATA: 'off', LOG_LEVEL: 'error' }
const run = (...args: string[]) => runProgram(args, settings)
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

describe('export lookups', () => {
  let organization = ''
  const responses: unknown[] = []
  const today = new Date().toISOString().slice(0, 10)

  beforeAll(async () => {
    organization = (await run('org', 'create', 'Exporting')).stdout.trim()
    const key = (await run('key', 'create', '--org', organization, '--tier', 'enterprise')).stdout.trim()
    const program = await startProgram(settings)
    for (const identifier of ['100000010000015', '100000010000023', '100000010000205']) {
      const response = await fetch(`${program.url}/api/imei`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ identifier }),
      })
      responses.push(((await response.json()) as { data: unknown }).data)
    }
    await program.stop()
  })

  test('prints complete records as NDJSON, oldest first, and messages on stderr', async () => {
    const { code, stdout, stderr } = await run('export', 'lookups', '--org', organization, '--format', 'ndjson')
    expect(code).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(responses)
    expect(stderr).toBe('3 lookups exported.\n')
  })

  test('prints a table as CSV', async () => {
    const { stdout } = await run('export', 'lookups', '--org', organization)
    const [header = '', ...rows] = stdout.trim().split('\n')
    expect(header.split(',').slice(0, 4)).toEqual(['lookup_id', 'timestamp', 'identifier', 'identifier_type'])
    expect(rows.map((row) => row.split(',')[2])).toEqual(['100000010000015', '100000010000023', '100000010000205'])
    expect(rows[2]).toContain('Sandbox Mobile')
  })

  test('prints only the given days', async () => {
    expect((await run('export', 'lookups', '--org', organization, '--to', '2020-01-01')).stderr).toContain('0 lookups')
    expect((await run('export', 'lookups', '--org', organization, '--from', today)).stderr).toContain('3 lookups')
  })

  for (const [why, args, code, message] of [
    ['no organization', [], 2, '--org is missing'],
    ['an unknown organization', ['--org', 'org_x'], 1, 'There is no organization org_x'],
    ['an unknown format', ['--org', 'org_x', '--format', 'xml'], 2, 'ndjson'],
    ['an invalid date', ['--org', 'org_x', '--from', '2026-02-30'], 2, 'takes a date'],
  ] as const) {
    test(`${why} is rejected with one sentence`, async () => {
      const ran = await run('export', 'lookups', ...args)
      expect(ran.code).toBe(code)
      expect(ran.stdout).toBe('')
      expect(ran.stderr).toContain(message)
    })
  }
})
