import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { shownKeys, startProgram } from '../support/program.ts'

const CONNECTIONS = 1_500
const LOOKUPS = 20
/** Far above what it takes, far below what it took when nothing was done about it. */
const ANSWERED_WITHIN_MS = 3_000

test('a flood of connections with wrong keys is sent away, and lookups of others are answered meanwhile', async () => {
  const program = await startProgram({ LOG_LEVEL: 'error' })
  const { enterprise } = shownKeys(program.stderr())
  const flooder = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../support/flooder.ts'), program.url, String(CONNECTIONS)],
    { stdout: 'pipe', stderr: 'inherit', stdin: 'pipe' },
  )
  await Bun.sleep(2_500)
  const waits: number[] = []
  for (let at = 0; at < LOOKUPS; at++) {
    const from = performance.now()
    const answer = await fetch(`${program.url}/api/imei`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${enterprise}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ identifier: '490154203237518' }),
    })
    await answer.arrayBuffer()
    expect(answer.status).toBe(200)
    waits.push(performance.now() - from)
  }
  flooder.stdin.end()
  const { refused, closed } = JSON.parse(await new Response(flooder.stdout).text()) as Record<string, number>
  await program.stop()
  waits.sort((left, right) => left - right)
  console.log(
    `${refused} refused, ${closed} of them sent away; lookups took ${waits[LOOKUPS / 2]?.toFixed(0)} ms, at most ${waits.at(-1)?.toFixed(0)} ms`,
  )
  expect(refused).toBeGreaterThan(CONNECTIONS)
  expect(closed).toBeGreaterThan(0)
  expect(waits.at(-1)).toBeLessThan(ANSWERED_WITHIN_MS)
}, 60_000)
