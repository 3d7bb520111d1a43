import { expect, test } from 'bun:test'
import { PROGRAM, startProgram } from '../support/program.ts'
import { openConnection } from '../support/raw-http.ts'
import { waitUntil } from '../support/wait.ts'

test('without file descriptors the service logs it once, closes idle connections and serves again', async () => {
  const limited = ['sh', '-c', 'ulimit -n 120; exec "$0" "$@"', PROGRAM]
  const program = await startProgram({ SAMPLE_DATA: 'off' }, limited)
  const open = Array.from({ length: 250 }, () => openConnection(program.url, () => {}))
  const ask = () => fetch(`${program.url}/healthz`, { signal: AbortSignal.timeout(10_000) })
  const exhausted = () => program.stderr().match(/no file descriptors left/g)
  await waitUntil(exhausted, { describe: 'file descriptors to run out' })
  // Connections that arrive while no descriptor is left are closed.
  const status = await waitUntil(
    () =>
      ask().then(
        (response) => response.status,
        () => undefined,
      ),
    { describe: 'a response', everyMs: 200 },
  )
  expect(status).toBe(200)
  expect(exhausted()).toHaveLength(1)
  for (const { socket } of open) socket.destroy()
  expect(await program.stop()).toBe(0)
})
