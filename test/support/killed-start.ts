import { expect } from 'bun:test'
import { tmpdir } from 'node:os'
import { freePort } from './postgres.ts'
import { newDataDir, PROGRAM, shownKeys, startProgram } from './program.ts'

/** Kills a first start once `moment` resolves, and expects that the next start serves with every key that was shown. */
export async function killFirstStart(moment: (dataDir: string) => Promise<unknown>): Promise<void> {
  const dataDir = newDataDir()
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
  try {
    await moment(dataDir)
  } finally {
    child.kill('SIGKILL')
  }
  const [said] = await Promise.all([new Response(child.stderr).text(), child.exited])

  const program = await startProgram({ DATA_DIR: dataDir })
  const ask = async (key: string, path: string) =>
    fetch(program.url + path, { headers: { Authorization: `Bearer ${key}` } })
  const shown = [shownKeys(said), shownKeys(program.stderr())].flatMap((keys) => Object.values(keys).filter(Boolean))
  // Shown once or, if the first start was killed while it showed them, perhaps again; never not at all.
  expect(shown.length).toBeGreaterThanOrEqual(3)
  for (const key of shown) expect((await ask(key, '/api/devices?limit=1')).status).toBe(200)
  const devices = (await (await ask(shown.at(-1) as string, '/api/devices')).json()) as { meta: { total: number } }
  expect(devices.meta.total).toBeGreaterThanOrEqual(30)
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
  expect(await program.stop()).toBe(0)
}
