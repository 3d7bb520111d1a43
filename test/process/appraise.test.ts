import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filledDataDir, runProgram } from '../support/program.ts'

const DATA_DIR = filledDataDir('small')
const settings = { DATA_DIR, LOG_LEVEL: 'error' }
const run = (...args: string[]) => runProgram(args, settings)
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

const LIST = `Stock No,IMEI,Make,Model,Capacity,Colour,Grade,Faults
A1,,Apple,iPhone 13,128GB,Midnight,Good,
A2,,Apple,iPhone 13,128,Midnight,Grade B,Cracked back; weak battery
A3,100000010000023,Apple,iPhone 13,128GB,Midnight,Good,none
A4,,,,,,Good,
A5,,Apple,iPhone 13,128GB,Midnight,dreadful-ish,
A6,12,Apple,iPhone 13,128GB,Midnight,Good,
`

describe('on the command line', () => {
  let organization = ''
  const list = join(DATA_DIR, 'list.csv')

  beforeAll(async () => {
    organization = (await run('org', 'create', 'Counter')).stdout.trim()
    writeFileSync(list, LIST)
  })

  describe('a policy', () => {
    const get = (id: string) => run('api', 'GET', '/api/manage/settings', '--org', id)
    const set = (id: string, terms: object) =>
      run('api', 'PATCH', '/api/manage/settings', `policy:=${JSON.stringify(terms)}`, '--org', id)

    test('is the default until an organization has its own, and every change is printed', async () => {
      const { policy: before } = JSON.parse((await get(organization)).stdout)
      expect(before.own).toEqual([])
      expect(before.policy).toMatchObject({ currency: 'USD', target_margin_percent: 12, labour_per_hour: 6000 })
      const changed = await set(organization, { target_margin_percent: 20.5, action_at_medium_risk: 'offer' })
      expect(JSON.parse(changed.stdout).policy).toMatchObject({
        policy: { ...before.policy, target_margin_percent: 20.5, action_at_medium_risk: 'offer' },
        own: ['target_margin_percent', 'action_at_medium_risk'],
      })
      const back = await set(organization, { target_margin_percent: null, action_at_medium_risk: null })
      expect(JSON.parse(back.stdout).policy).toEqual(before)
    })

    for (const [why, term, message] of [
      ['a value out of bounds', { target_margin_percent: 95 }, 'from 0 to 90'],
      ['text instead of a number', { min_profit: 'much' }, 'whole number'],
      ['an unknown action', { action_at_low_risk: 'shrug' }, 'offer, inspect, reject'],
      ['a currency without a rate', { currency: 'PKR' }, 'has no exchange rate'],
    ] as const) {
      test(`with ${why} is rejected with one sentence`, async () => {
        const ran = await set(organization, term)
        expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' })
        expect(ran.stderr).toContain(message)
      })
    }

    test('of an unknown organization is rejected', async () => {
      expect(await get('org_x')).toMatchObject({ code: 1, stdout: '' })
      expect(await set('org_x', { min_profit: 1 })).toMatchObject({ code: 1, stdout: '' })
    })
  })

  describe('a list', () => {
    test('is appraised row by row, and what cannot be read is a question about its row', async () => {
      const { code, stdout, stderr } = await run('appraise', list, '--json')
      expect(code).toBe(0)
      expect(stderr).toContain('5 of 6 devices appraised. 3 rows have questions.')
      const rows = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(rows.map(({ line, success }) => [line, success])).toEqual([
        [2, true],
        [3, true],
        [4, true],
        [5, false],
        [6, true],
        [7, true],
      ])
      expect(rows[0].result).toMatchObject({
        reference: 'A1',
        identity: { variant_id: 'apple-iphone-13-128gb-midnight' },
      })
      expect(rows[1].result).toMatchObject({ defects: ['cracked_back', 'weak_battery'], offer: { condition: 'Good' } })
      expect(rows[2].result.offer).toMatchObject({ decision: 'reject', max_offer: 0 })
      expect(rows[3]).toMatchObject({ error: null, questions: [{ code: 'no_device', column: 'text' }] })
      expect(rows[4].questions).toEqual([{ code: 'unknown_grade', column: 'condition', words: 'dreadful-ish' }])
      expect(rows[5].questions).toEqual([{ code: 'unreadable_identifier', column: 'identifier', words: '12' }])
    })

    test('is a table with --csv, and the history can be exported', async () => {
      const { stdout } = await run('appraise', list, '--org', organization, '--csv')
      const [header = '', ...rows] = stdout.trim().split('\n')
      expect(header).toStartWith('line,error,questions,appraisal_id,')
      expect(rows).toHaveLength(6)
      const exported = await run('export', 'appraisals', '--org', organization, '--format', 'ndjson')
      expect(exported.stderr).toBe('10 appraisals exported.\n')
      expect(
        exported.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).reference)
          .sort(),
      ).toEqual(['A1', 'A1', 'A2', 'A2', 'A3', 'A3', 'A5', 'A5', 'A6', 'A6'])
      const table = (await run('export', 'appraisals', '--org', organization)).stdout.trim().split('\n')
      expect(table[0]?.split(',').slice(0, 3)).toEqual(['appraisal_id', 'timestamp', 'reference'])
      expect(table).toHaveLength(11)
    })

    for (const [why, args, code, message] of [
      ['no file', [], 2, 'Usage'],
      ['a missing file', ['/nowhere.csv'], 1, 'There is no file'],
      ['two formats', ['x', '--csv', '--json'], 2, 'not both'],
      ['an unknown organization', [list, '--org', 'org_x'], 1, 'There is no organization org_x'],
    ] as const) {
      test(`with ${why} is rejected with one sentence`, async () => {
        const ran = await run('appraise', ...args)
        expect(ran.code).toBe(code)
        expect(ran.stderr).toContain(message)
        // With --json the error is on stdout too.
        if ((args as readonly string[]).includes('--json'))
          expect(JSON.parse(ran.stdout).error.message).toContain(message)
        else expect(ran.stdout).toBe('')
      })
    }
  })
})
