import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'

const CLIENT = join(import.meta.dir, '../../client/python')

/** A Python with httpx: Debian's with python3-httpx, or another one. */
const python = ['/usr/bin/python3', 'python3'].find(
  (name) => Bun.which(name) && Bun.spawnSync([name, '-c', 'import httpx']).exitCode === 0,
)
if (!python) {
  if (process.env.CI === 'true') throw new Error('python3-httpx is missing, and with CI=true no test may be skipped.')
  console.warn('python3-httpx is not installed: the Python client is not tested.')
}

describe.if(python !== undefined)('the Python client', () => {
  let program: RunningProgram
  let environment: Record<string, string>
  beforeAll(async () => {
    program = await startProgram({ LOG_LEVEL: 'error', DATA_DIR: filledDataDir() })
    const organization = (await runProgram(['org', 'create', 'Python'], program.environment)).stdout.trim()
    const create = ['key', 'create', '--org', organization, '--tier', 'enterprise']
    const key = (await runProgram(create, program.environment)).stdout.trim()
    const manageKey = (await runProgram([...create, '--may', 'manage'], program.environment)).stdout.trim()
    environment = {
      SERVICE_URL: program.url,
      SERVICE_KEY: key,
      SERVICE_MANAGE_KEY: manageKey,
      PYTHONPATH: CLIENT,
      PYTHONDONTWRITEBYTECODE: '1',
    }
  })
  afterAll(async () => {
    await program.stop()
  })

  test('passes its own tests against the real program', async () => {
    const run = await runProgram([join(CLIENT, 'tests/test_client.py')], environment, [python ?? ''])
    expect({ code: run.code, stderr: run.code === 0 ? '' : run.stderr }).toEqual({ code: 0, stderr: '' })
    expect(run.stderr).toMatch(/Ran 1[0-9] tests/)
  })

  test('runs the example of its README', async () => {
    const [, example = ''] = /```python\n([\s\S]*?)```/.exec(readFileSync(join(CLIENT, 'README.md'), 'utf8')) ?? []
    const run = await runProgram(['-c', example], environment, [python ?? ''])
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(/^iPhone 13 \d+(\.\d+)?\n\w+ \d+(\.\d+)?\n(google-\S+\n)+apple-iphone-13 req_\S+\n$/)
  })
})
