import { expect, test } from 'bun:test'
import { PROGRAM, startProgram } from '../support/program.ts'
import { openConnection } from '../support/raw-http.ts'

test('without file descriptors it says so once, lets idle connections go, and serves again', async () => {
  const limited = ['sh', '-c', 'ulimit -n 120; exec "$0" "$@"', PROGRAM]
  const program = await startProgram({ SAMPLE_DATA: 'off' }, limited)
  const open = Array.from({ length: 250 }, () => openConnection(program.url, () => {}))
  const ask = () => fetch(`${program.url}/healthz`, { signal: AbortSignal.timeout(2_000) })
  let status: number | undefined
  // Whoever comes while nobody is let in is cut off.
  await Bun.sleep(1_000)
  for (const deadline = Date.now() + 15_000; status === undefined && Date.now() < deadline; await Bun.sleep(200)) {
    status = await ask().then(
      (answer) => answer.status,
      () => undefined,
    )
  }
  expect(status).toBe(200)
  await Bun.sleep(300)
  expect(program.stderr().match(/no file descriptors left/g)).toHaveLength(1)
  for (const { socket } of open) socket.destroy()
  expect(await program.stop()).toBe(0)
}, 60_000)
