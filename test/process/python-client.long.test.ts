import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPythonWheel } from '../../scripts/build-clients.ts'
import { filledDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'

const CLIENT = join(import.meta.dir, '../../client/python')

/** A Python with what the tests need: Debian's with python3-httpx, python3-pip and mypy, or another one. */
const python = ['/usr/bin/python3', 'python3'].find(
  (name) => Bun.which(name) && Bun.spawnSync([name, '-c', 'import httpx, mypy, pip']).exitCode === 0,
)
if (!python) {
  const missing = 'python3-httpx, python3-pip or mypy is not installed'
  if (process.env.CI === 'true') throw new Error(`${missing}, and with CI=true no test may be skipped.`)
  console.warn(`${missing}: the Python client is not tested.`)
}

describe.if(python !== undefined)('the Python client', () => {
  let program: RunningProgram
  let environment: Record<string, string>
  const folder = mkdtempSync(join(tmpdir(), 'di-python-'))
  const packages = join(folder, 'packages')
  const runPython = (...args: string[]) => runProgram(args, environment, [python ?? ''])
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
      PYTHONPATH: packages,
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const install = [
      '-m',
      'pip',
      'install',
      '--no-index',
      '--no-deps',
      '--target',
      packages,
      join(folder, buildPythonWheel(folder)),
    ]
    const installed = await runPython(...install)
    if (installed.code !== 0) throw new Error(`pip cannot install the wheel:\n${installed.stderr}`)
  })
  afterAll(async () => {
    await program.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the wheel contains the typed package and its metadata', async () => {
    const code = `import importlib.metadata as m
print(m.version('device-intelligence-client'), m.requires('device-intelligence-client'), len(m.files('device-intelligence-client')) > 5)`
    expect((await runPython('-c', code)).stdout).toBe("0.1.0 ['httpx>=0.23'] True\n")
  })

  test('mypy --strict finds no error in the package', async () => {
    // What mypy knows of the standard library and httpx stays for the next run.
    const cache = join(CLIENT, '../../artifacts/mypy')
    const options = ['--strict', '--cache-dir', cache]
    const { code, stdout } = await runPython('-m', 'mypy', ...options, join(CLIENT, 'device_intelligence'))
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Success: no issues found/) })
  })

  test('passes its own tests against the real program', async () => {
    const run = await runPython(join(CLIENT, 'tests/test_client.py'))
    expect({ code: run.code, stderr: run.code === 0 ? '' : run.stderr }).toEqual({ code: 0, stderr: '' })
    expect(run.stderr).toMatch(/Ran 1[0-9] tests/)
  })

  test('runs the example of its README', async () => {
    const [, example = ''] = /```python\n([\s\S]*?)```/.exec(readFileSync(join(CLIENT, 'README.md'), 'utf8')) ?? []
    const run = await runPython('-c', example)
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' })
    expect(run.stdout).toMatch(/^iPhone 13 \d+(\.\d+)?\n\w+ \d+(\.\d+)?\n(google-\S+\n)+apple-iphone-13 req_\S+\n$/)
  })
})
