import { existsSync } from 'node:fs'

export type TestFailure = {
  readonly file: string
  /** The enclosing `describe` blocks. */
  readonly group: string
  readonly name: string
  readonly message: string
}

export type TestReport = {
  readonly passed: number
  readonly failures: readonly TestFailure[]
  /** Each by its file and name. */
  readonly skipped: readonly string[]
  /** Longest first. */
  readonly files: readonly { readonly file: string; readonly seconds: number }[]
}

/** Reads the JUnit report of a run. A missing report (the run was killed) counts as nothing passed. */
export async function readReport(path: string): Promise<TestReport> {
  let tests = 0
  let current = { file: '', group: '', name: '' }
  const failures: TestFailure[] = []
  const skipped: string[] = []
  const files: { file: string; seconds: number }[] = []
  const reader = new HTMLRewriter()
    .on('testsuite', {
      element(suite) {
        const file = suite.getAttribute('file') ?? ''
        // A `describe` is a suite too, nested in the suite of its file.
        if (suite.getAttribute('name') === file) files.push({ file, seconds: Number(suite.getAttribute('time')) })
      },
    })
    .on('testcase', {
      element(each) {
        const text = (name: string) => decodeEntities(each.getAttribute(name) ?? '')
        tests++
        // The report names the innermost `describe` first.
        const group = text('classname').split(' > ').reverse().join(' > ')
        current = { file: text('file'), group, name: text('name') }
      },
    })
    .on('failure', {
      element(failure) {
        failures.push({ ...current, message: decodeEntities(failure.getAttribute('message') ?? '') })
      },
    })
    .on('skipped', {
      element() {
        skipped.push([current.file, current.group, current.name].filter(Boolean).join(' > '))
      },
    })
  if (existsSync(path)) await reader.transform(new Response(Bun.file(path))).text()
  files.sort((left, right) => right.seconds - left.seconds)
  return { passed: tests - failures.length - skipped.length, failures, skipped, files }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|(lt|gt|quot|apos|amp));/g, (_, code: string | undefined, name: string) =>
    code ? String.fromCodePoint(Number(code)) : (ENTITIES[name] ?? ''),
  )
}

/** The command that runs only this test. */
export function commandFor(failure: TestFailure, suite: 'short' | 'long'): string {
  const pattern = failure.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "'\\''")
  return `npm ${suite === 'long' ? 'run test:long' : 'test'} -- ${failure.file} -t '${pattern}'`
}
