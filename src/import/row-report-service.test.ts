import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProgress, formatProgress } from './progress-service.ts'
import { cellText, missingColumnsError, parseHeader } from './read/header.ts'
import { createRowReport } from './row-report-service.ts'

test('all rejected rows are in the file, the first twenty on screen, and reasons are counted', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'report-')), 'reports', 'rows.csv')
  const shown: string[] = []
  const report = createRowReport({ path, show: (line) => shown.push(line) })
  expect(report.file()).toBeNull()
  for (let line = 2; line < 1202; line++) report.reject(line, line % 2 ? 'unknown_make' : 'unknown_model', '=cell')
  report.remark('unchanged', 3)
  report.close()
  expect(shown).toHaveLength(21)
  expect(shown[0]).toBe('line 2: unknown model (=cell)')
  expect(shown[20]).toBe(`more rejected rows: see ${path}`)
  expect(report.rejectedBy()).toEqual({ unknown_model: 600, unknown_make: 600 })
  expect(report.remarks()).toEqual({ unchanged: 3 })
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(1201)
  expect(lines[1]).toBe("2,unknown model,'=cell")
})

test('columns are found whatever their case and separators', () => {
  const header = parseHeader(['IMEI', ' Reporting Date', 'change-type'])
  expect(header.find('imei')).toBe(0)
  expect(header.find('reporting_date')).toBe(1)
  expect(header.find('status', 'CHANGE_TYPE')).toBe(2)
  expect(header.find('status')).toBe(-1)
  expect(cellText(['1'], 1)).toBe('')
  expect(missingColumnsError('f.csv', header, ['imei', 'status']).message).toBe(
    'f.csv lacks the column status; its header is: IMEI, Reporting Date, change-type',
  )
})

test('a terminal gets a bar, anything else a plain line every few seconds', () => {
  expect(formatProgress('tac', 1234, 50, 100, true)).toBe('tac [############............] 50 %, 1,234 rows')
  expect(formatProgress('tac', 1234, 50, null, false)).toBe('tac: 1,234 rows')
  let now = 0
  const lines: string[] = []
  const progress = createProgress('tac', { write: (text) => lines.push(text) }, () => now)
  for (; now <= 11_000; now += 500) progress.at(now, now, 22_000)
  expect(lines).toEqual(['tac: 22 %, 5,000 rows\n', 'tac: 45 %, 10,000 rows\n'])
})
