import { existsSync } from 'node:fs'

export type TestReport = {
  readonly passed: number
  readonly failures: number
  /** Each by its file and name. */
  readonly skipped: readonly string[]
  /** Longest first. */
  readonly files: readonly { readonly file: string; readonly seconds: number }[]
}

/** The runner's own report of a run, in JUnit's form. Without one (the runner was killed) nothing is known to have passed. */
export async function readReport(path: string): Promise<TestReport> {
  let tests = 0
  let failures = 0
  let atCase = ''
  const skipped: string[] = []
  const files: { file: string; seconds: number }[] = []
  const reader = new HTMLRewriter()
    .on('testsuites', {
      element(all) {
        tests = Number(all.getAttribute('tests'))
        failures = Number(all.getAttribute('failures'))
      },
    })
    .on('testsuite', {
      element(suite) {
        const file = suite.getAttribute('file') ?? ''
        // A `describe` is a suite too, within that of its file.
        if (suite.getAttribute('name') === file) files.push({ file, seconds: Number(suite.getAttribute('time')) })
      },
    })
    .on('testcase', {
      element(each) {
        atCase = plain(
          ['file', 'classname', 'name']
            .map((name) => each.getAttribute(name))
            .filter(Boolean)
            .join(' > '),
        )
      },
    })
    .on('skipped', {
      element() {
        skipped.push(atCase)
      },
    })
  if (existsSync(path)) await reader.transform(new Response(Bun.file(path))).text()
  files.sort((left, right) => right.seconds - left.seconds)
  return { passed: tests - failures - skipped.length, failures, skipped, files }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function plain(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
}
