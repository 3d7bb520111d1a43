import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '../../src/contract/endpoints.ts'
import { type RunningProgram, runProgram, startProgram } from '../support/program.ts'

const CLIENT = join(import.meta.dir, '../../client/src/index.ts')
/** The record in the example does not exist here. */
const NEEDS_A_RECORD = endpoints
  .filter(({ params, tag, examples }) => (params && tag !== 'Registry') || namesAppraisals(examples[0]?.body))
  .map(({ id }) => id)
/** The key of this test has no right to manage: test/process/management.test.ts runs these endpoints. */
const MANAGEMENT = endpoints.filter(({ right }) => right !== undefined).map(({ id }) => id)

function namesAppraisals(body: unknown): boolean {
  return JSON.stringify(body ?? null).includes('"appraisal_id"')
}

const folder = mkdtempSync(join(tmpdir(), 'di-samples-'))
let program: RunningProgram
let key: string
let page: string

beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: 'error' })
  const organization = (await runProgram(['org', 'create', 'Samples'], program.environment)).stdout.trim()
  const create = ['key', 'create', '--org', organization, '--tier', 'enterprise', '--may', 'contribute']
  key = (await runProgram(create, program.environment)).stdout.trim()
  page = await (await fetch(`${program.url}/docs`)).text()
})
afterAll(async () => {
  await program.stop()
  rmSync(folder, { recursive: true, force: true })
})

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The samples of a language as a reader copies them, each with its endpoint. */
function samplesIn(language: string): { id: string; code: string }[] {
  const sections = page.split('<section class="endpoint" id="').slice(1)
  return sections.flatMap((section) => {
    const id = section.slice(0, section.indexOf('"'))
    const found = section.matchAll(new RegExp(`data-in="${language}">.*?<code>(.*?)</code>`, 'gs'))
    return [...found].map(([, code = '']) => ({
      id,
      // An example's `until` lies on a fixed day; this one is always in the future.
      code: code
        .replace(/&(amp|lt|gt|quot|#39);/g, (_, sign: string) => SIGNS[sign] ?? '')
        .replace(/\b20\d\d-12-31\b/g, `${new Date().getFullYear() + 1}-12-31`),
    }))
  })
}

/** Runs all given files in one process and prints a line for each: its error, or an empty string. */
const RUNNERS = {
  javascript: {
    extension: 'ts',
    command: process.execPath,
    source: `console.log = () => {}
for (const file of process.argv.slice(2)) {
  const failure = await import(file).then(() => '', (error) => error.constructor.name + ' ' + error.stack)
  process.stdout.write(JSON.stringify(failure) + '\\n')
}`,
  },
  python: {
    extension: 'py',
    command: 'python3',
    source: `import contextlib, io, json, runpy, sys, traceback
for file in sys.argv[1:]:
    failure = ''
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(file, run_name='__main__')
    except Exception:
        failure = traceback.format_exc()
    print(json.dumps(failure))
`,
  },
} as const

async function runAll(language: keyof typeof RUNNERS, codes: readonly string[]): Promise<string[]> {
  const { extension, command, source } = RUNNERS[language]
  const write = (name: string, code: string) => {
    const file = join(folder, `${name}.${extension}`)
    writeFileSync(file, code)
    return file
  }
  const files = codes.map((code, at) =>
    write(`sample-${at}`, code.replace("'@device-intelligence/client'", JSON.stringify(CLIENT))),
  )
  const child = Bun.spawn([command, write('runner', source), ...files], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, API_KEY: key },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const output = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const expected = endpoints.flatMap(({ id, examples }) => examples.map(() => id)).sort()

for (const language of ['javascript', 'python'] as const) {
  describe.if(Bun.which(RUNNERS[language].command) !== null)(`every sample in ${language}`, () => {
    test('exists and runs unchanged', async () => {
      const samples = samplesIn(language)
      expect(samples.map(({ id }) => id).sort()).toEqual(expected)
      const failures = await runAll(
        language,
        samples.map(({ code }) => code),
      )
      expect(failures.length).toBe(samples.length)
      const unexpected = failures.filter((failure, at) => {
        const { id = '' } = samples[at] ?? {}
        const isMissing = /NotFoundError|HTTP Error 404/.test(failure) && NEEDS_A_RECORD.includes(id)
        const isForbidden = /ForbiddenError|HTTP Error 403/.test(failure) && MANAGEMENT.includes(id)
        return failure !== '' && !isMissing && !isForbidden
      })
      expect(unexpected).toEqual([])
    })
  })
}
