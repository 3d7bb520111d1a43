import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { shownKeys, startProgram } from '../support/program.ts'

const CONNECTIONS = 1_500
const LOOKUPS = 20

test('a flood of connections with wrong keys is sent away, and lookups of others are answered meanwhile', async () => {
  const program = await startProgram({ LOG_LEVEL: 'error' })
  const { enterprise } = shownKeys(program.stderr())
  const flooder = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../support/flooder.ts'), program.url, String(CONNECTIONS)],
    { stdout: 'pipe', stderr: 'inherit', stdin: 'pipe' },
  )
  const output = flooder.stdout.getReader()
  // Its first line: every connection was refused once.
  await output.read()
  output.releaseLock()
  for (let at = 0; at < LOOKUPS; at++) {
    const answer = await fetch(`${program.url}/api/imei`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${enterprise}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ identifier: '490154203237518' }),
    })
    await answer.arrayBuffer()
    expect(answer.status).toBe(200)
  }
  flooder.stdin.end()
  const { refused, closed } = JSON.parse(await new Response(flooder.stdout).text()) as Record<string, number>
  await program.stop()
  expect(refused).toBeGreaterThan(CONNECTIONS)
  expect(closed).toBeGreaterThan(0)
}, 60_000)
