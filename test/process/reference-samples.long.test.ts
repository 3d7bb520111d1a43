import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '../../src/contract/endpoints.ts'
import { type RunningProgram, runProgram, startProgram } from '../support/program.ts'

const CLIENT = join(import.meta.dir, '../../client/src/index.ts')
/** The record of the example does not exist here. */
const NEEDS_A_RECORD = endpoints.filter(({ params, tag }) => params && tag !== 'Registry').map(({ id }) => id)
/** The key of this test has no right to manage: test/process/management.test.ts runs these endpoints. */
const MANAGEMENT = endpoints.filter(({ tag }) => tag === 'Management').map(({ id }) => id)

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

/** The samples of a language as a reader copies them, each with the endpoint it is of. */
function samplesIn(language: string): { id: string; code: string }[] {
  const sections = page.split('<section class="endpoint" id="').slice(1)
  return sections.flatMap((section) => {
    const id = section.slice(0, section.indexOf('"'))
    const found = section.matchAll(new RegExp(`data-in="${language}">.*?<code>(.*?)</code>`, 'gs'))
    return [...found].map(([, code = '']) => ({
      id,
      // What is wanted until a day that passes is wanted for longer.
      code: code
        .replace(/&(amp|lt|gt|quot|#39);/g, (_, sign: string) => SIGNS[sign] ?? '')
        .replace(/\b20\d\d-12-31\b/g, `${new Date().getFullYear() + 1}-12-31`),
    }))
  })
}

async function run(command: string[]): Promise<string> {
  const child = Bun.spawn(command, {
    env: { PATH: process.env.PATH ?? '', HOME: folder, API_KEY: key },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return (await child.exited) === 0 ? stdout : `FAILED ${stderr}`
}

const expected = endpoints.flatMap(({ id, examples }) => examples.map(() => id)).sort()

for (const [language, extension, commandOf] of [
  ['javascript', 'ts', (file: string) => [process.execPath, file]],
  ['python', 'py', (file: string) => ['python3', file]],
] as const) {
  describe.if(Bun.which(commandOf('')[0] ?? '') !== null)(`every sample in ${language}`, () => {
    test('is there, and runs as it stands', async () => {
      const samples = samplesIn(language)
      expect(samples.map(({ id }) => id).sort()).toEqual(expected)
      const failed: string[] = []
      for (const [at, { id, code }] of samples.entries()) {
        const file = join(folder, `sample-${at}.${extension}`)
        writeFileSync(file, code.replace("'@device-intelligence/client'", JSON.stringify(CLIENT)))
        const told = await run([...commandOf(file)])
        const isMissing = /NotFoundError|HTTP Error 404/.test(told)
        const isForbidden = /ForbiddenError|HTTP Error 403/.test(told)
        const isExpected = (isMissing && NEEDS_A_RECORD.includes(id)) || (isForbidden && MANAGEMENT.includes(id))
        if (told.startsWith('FAILED') && !isExpected) failed.push(`${code}\n${told}`)
      }
      expect(failed).toEqual([])
    })
  })
}
