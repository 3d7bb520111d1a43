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
  const [stderr] = await Promise.all([new Response(child.stderr).text(), child.exited])

  const program = await startProgram({ DATA_DIR: dataDir })
  const request = async (key: string, path: string) =>
    fetch(program.url + path, { headers: { Authorization: `Bearer ${key}` } })
  const keys = [shownKeys(stderr), shownKeys(program.stderr())].flatMap((keysByTier) =>
    Object.values(keysByTier).filter(Boolean),
  )
  // Shown at least once; again if the first start was killed while it showed them.
  expect(keys.length).toBeGreaterThanOrEqual(3)
  for (const key of keys) expect((await request(key, '/api/devices?limit=1')).status).toBe(200)
  const devices = (await (await request(keys.at(-1) as string, '/api/devices')).json()) as { meta: { total: number } }
  expect(devices.meta.total).toBeGreaterThanOrEqual(30)
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
  const code = await program.stop()
  const errors = program.stderr().match(/.*"level":"error".*/g)
  expect({ code, errors }).toEqual({ code: 0, errors: null })
}
