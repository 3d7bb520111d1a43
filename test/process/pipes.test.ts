import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filledDataDir, PROGRAM, runProgram } from '../support/program.ts'

const DATA_DIR = filledDataDir('small')
const file = join(DATA_DIR, 'shop.csv')
let organization = ''

beforeAll(async () => {
  organization = (await runProgram(['org', 'create', 'Piped'], { DATA_DIR })).stdout.trim()
  writeFileSync(file, 'make,device,storage\nAcme,One,64GB\n')
  // The first import also loads the bundled catalogue: its export exceeds the pipe buffer.
  expect((await runProgram(['import', 'catalogue', file], { DATA_DIR })).code).toBe(0)
})
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))

/** The stderr of the command, its exit code, and the output of the reader behind the pipe. */
async function piped(args: string[], reader: string) {
  const script = `( '${PROGRAM}' ${args.map((arg) => `'${arg}'`).join(' ')}; echo "exit $?" >&2 ) | ${reader}`
  return runProgram(['-c', script], { DATA_DIR }, ['timeout', '-s', 'KILL', '15', 'sh'])
}

describe('a command whose reader has closed the pipe ends without a message', () => {
  for (const [args, reader] of [
    [['export', 'catalogue'], 'head -c 100'],
    [['export', 'catalogue', '--format', 'csv'], 'true'],
    [['openapi'], 'head -c 100'],
    [['config'], 'true'],
  ] as const) {
    test(`${args.join(' ')} | ${reader}`, async () => {
      expect(await piped([...args], reader)).toMatchObject({ code: 0, stderr: 'exit 0\n' })
    })
  }

  test('export lookups | true', async () => {
    const ran = await piped(['export', 'lookups', '--org', organization], 'true')
    expect(ran).toMatchObject({ code: 0, stderr: 'exit 0\n' })
  })
})

// A pipe buffers 64 KiB; output beyond that was once lost at exit.
test('a slow reader gets the whole result', async () => {
  const whole = (await runProgram(['openapi'], { DATA_DIR })).stdout
  const slow = await piped(['openapi'], '(sleep 1; cat)')
  expect(JSON.parse(slow.stdout)).toEqual(JSON.parse(whole))
})
