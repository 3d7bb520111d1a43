import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandFor, readReport } from './test-report.ts'

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

test('passed, failed and skipped tests are counted from the report', async () => {
  const { code, shown, report } = await reportOf({
    'a.test.ts': `
      describe('a "group" <&>', () => { test('in it', () => {}); test.skip('not now', () => {}) })
      test('wrong', () => { expect('this').toBe('that') })
      test('(pass) 7 pass', async () => { await Bun.sleep(60) })`,
    'b.test.ts': `test('also', () => {})`,
  })
  expect(code).toBe(1)
  expect(report.passed).toBe(3)
  expect(report.failures).toMatchObject([{ file: 'a.test.ts', group: '', name: 'wrong' }])
  expect(report.failures[0]?.message).toContain('Expected: "that"\nReceived: "this"')
  expect(report.skipped).toEqual(['a.test.ts > a "group" <&> > not now'])
  expect(report.files.map(({ file }) => file)).toEqual(['a.test.ts', 'b.test.ts'])
  expect(shown).toContain('(fail) wrong')
  expect(shown).toContain('Expected: "that"')
})

test('a file that cannot be loaded fails the run, and a missing report counts nothing', async () => {
  const { code, report } = await reportOf({ 'broken.test.ts': `import './nowhere.ts'` })
  expect(code).toBe(1)
  expect(report).toMatchObject({ passed: 0, failures: [] })
  expect(await readReport(join(folder, 'none.xml'))).toEqual({ passed: 0, failures: [], skipped: [], files: [] })
})

test('the command for a failed test runs only that test, whatever its name contains', async () => {
  const name = `it's "odd" (1 + 2) $HOME \\ | é`
  const files = { 'a.test.ts': `test(${JSON.stringify(name)}, () => { expect(1).toBe(2) }); test('other', () => {})` }
  const { report } = await reportOf(files)
  const [failure] = report.failures
  if (!failure) throw new Error('the report has no failure')
  const command = commandFor(failure, 'short')
  expect(command).toStartWith('npm test -- a.test.ts -t ')
  const pattern = await Bun.$`sh -c ${`printf %s ${command.slice(command.indexOf("'"))}`}`.text()
  expect(new RegExp(pattern).test(name)).toBe(true)
  expect(new RegExp(pattern).test('other')).toBe(false)
  expect(commandFor(failure, 'long')).toStartWith('npm run test:long -- a.test.ts -t ')
})
