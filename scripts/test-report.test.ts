import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readReport } from './test-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'di-report-'))

/** The report of a real run of the runner over these files. */
async function reportOf(files: Record<string, string>) {
  const at = mkdtempSync(join(folder, 'run-'))
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(at, name), `import { describe, expect, test } from 'bun:test'\n${text}`)
  }
  const path = join(at, 'report.xml')
  const command = [process.execPath, 'test', '--parallel=2', '--no-isolate', '--dots', '--reporter=junit']
  const run = Bun.spawn([...command, `--reporter-outfile=${path}`], { cwd: at, stdout: 'ignore', stderr: 'pipe' })
  const shown = await new Response(run.stderr).text()
  return { code: await run.exited, shown, report: await readReport(path) }
}

test('what passed, failed and was left out is counted from the report', async () => {
  const { code, shown, report } = await reportOf({
    'a.test.ts': `
      describe('a "group" <&>', () => { test('in it', () => {}); test.skip('not now', () => {}) })
      test('wrong', () => { expect('this').toBe('that') })
      test('(pass) 7 pass', async () => { await Bun.sleep(60) })`,
    'b.test.ts': `test('also', () => {})`,
  })
  expect(code).toBe(1)
  expect(report).toMatchObject({ passed: 3, failures: 1 })
  expect(report.skipped).toEqual(['a.test.ts > a "group" <&> > not now'])
  expect(report.files.map(({ file }) => file)).toEqual(['a.test.ts', 'b.test.ts'])
  expect(shown).toContain('(fail) wrong')
  expect(shown).toContain('Expected: "that"')
})

test('a file that cannot be read makes the runner fail, and a report that is not there counts nothing', async () => {
  const { code, report } = await reportOf({ 'broken.test.ts': `import './nowhere.ts'` })
  expect(code).toBe(1)
  expect(report).toMatchObject({ passed: 0, failures: 0 })
  expect(await readReport(join(folder, 'none.xml'))).toEqual({ passed: 0, failures: 0, skipped: [], files: [] })
})
