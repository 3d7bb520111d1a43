import { expect, test } from 'bun:test'
import { chmodSync, readFileSync } from 'node:fs'
import { filledDataDir, runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('workers end with the process that started them, also after kill -9', async () => {
  const program = await startProgram({ WORKERS: '2', SAMPLE_DATA: 'off' })
  const workers = childrenOf(program.pid)
  expect(workers.length).toBe(2)
  program.kill('SIGKILL')
  await program.exited
  await waitUntil(() => !workers.some(isAlive), { describe: 'the workers to end' })
  expect(await fetch(`${program.url}/healthz`).catch(() => 'nobody')).toBe('nobody')
})

test('a killed worker is replaced, and every log line about it is JSON', async () => {
  const program = await startProgram({ WORKERS: '2', SAMPLE_DATA: 'off' })
  const [worker = 0] = childrenOf(program.pid)
  process.kill(worker, 'SIGKILL')
  type Line = { message: string; pid?: number }
  const lines = () =>
    program
      .stderr()
      .split('\n')
      .filter((line) => line.includes('worker'))
      .map((line) => JSON.parse(line) as Line)
  const started = () => lines().filter(({ message }) => message === 'worker started')
  await waitUntil(() => started().length >= 3, { describe: 'another worker' })
  expect(lines().find(({ message }) => message.startsWith('worker exited'))).toMatchObject({
    pid: worker,
    exit_code: 137,
  })
  expect(await program.stop()).toBe(0)
})

test('a folder that other users can open is reported at the start', async () => {
  const dataDir = filledDataDir('small')
  chmodSync(dataDir, 0o755)
  const program = await startProgram({ DATA_DIR: dataDir, SAMPLE_DATA: 'off' })
  const warning = await waitUntil(() => program.stderr().match(/^.*DATA_DIR.*$/m)?.[0], { describe: 'the warning' })
  expect(JSON.parse(warning)).toMatchObject({ level: 'warn', mode: '755' })
  await program.stop()
  chmodSync(dataDir, 0o700)
  const quiet = await startProgram({ DATA_DIR: dataDir, SAMPLE_DATA: 'off' })
  await quiet.stop()
  expect(quiet.stderr()).not.toContain('chmod')
})

test('with several workers the start reports a port in use, even one that could be shared', async () => {
  const stranger = Bun.serve({ hostname: '127.0.0.1', port: 0, reusePort: true, fetch: () => new Response('stranger') })
  const { port } = stranger
  const started = await startProgram({ SAMPLE_DATA: 'off' })
  await started.stop()
  const settings = { ...started.environment, WORKERS: '2', PORT: String(port) }
  const { code, stderr } = await runProgram(['serve'], settings)
  await stranger.stop(true)
  expect(code).toBe(1)
  expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port}: another program already does.`)
})
