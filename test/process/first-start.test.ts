import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { freePort } from '../support/postgres.ts'
import { newDataDir, PROGRAM, shownKeys, startProgram } from '../support/program.ts'

/** Moments of a first start: from before the store is opened until after the keys are shown. */
const KILLED_AFTER_MS = (process.env.KILL_AFTER ?? '60,150,300,450,600,900').split(',').map(Number)

async function startAndKill(dataDir: string, afterMs: number): Promise<string> {
  const child = Bun.spawn([PROGRAM, 'serve'], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/',
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
    },
    cwd: tmpdir(),
    stdout: 'ignore',
    stderr: 'pipe',
  })
  await Bun.sleep(afterMs)
  child.kill('SIGKILL')
  const [said] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return said
}

for (const afterMs of KILLED_AFTER_MS) {
  test(`a first start killed after ${afterMs} ms: the next one needs no hand, and every key shown exists`, async () => {
    const dataDir = newDataDir()
    const said = await startAndKill(dataDir, afterMs)
    const program = await startProgram({ DATA_DIR: dataDir })
    const ask = async (key: string, path: string) =>
      fetch(program.url + path, { headers: { Authorization: `Bearer ${key}` } })
    const shown = [shownKeys(said), shownKeys(program.stderr())].flatMap((keys) => Object.values(keys).filter(Boolean))
    // Shown once or, when the first start was killed in the middle of showing them, perhaps again; never not at all.
    expect(shown.length).toBeGreaterThanOrEqual(3)
    for (const key of shown) expect((await ask(key, '/api/devices?limit=1')).status).toBe(200)
    const devices = (await (await ask(shown.at(-1) as string, '/api/devices')).json()) as { meta: { total: number } }
    expect(devices.meta.total).toBeGreaterThanOrEqual(30)
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
    expect(await program.stop()).toBe(0)
  }, 60_000)
}
