import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { shownKeys, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const CONNECTIONS = 1_500
const LOOKUPS = 20

test('a flood of connections with wrong keys is rejected while lookups of others are served', async () => {
  const program = await startProgram({ LOG_LEVEL: 'error' })
  const { enterprise } = shownKeys(program.stderr())
  const flooder = Bun.spawn(
    [process.execPath, join(import.meta.dir, '../support/flooder.ts'), program.url, String(CONNECTIONS)],
    { stdout: 'pipe', stderr: 'inherit', stdin: 'pipe' },
  )
  let output = ''
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of flooder.stdout) output += decoder.decode(chunk, { stream: true })
  })()
  try {
    await waitUntil(() => output.includes('flooding'), { describe: 'the flood' })
    for (let at = 0; at < LOOKUPS; at++) {
      const response = await fetch(`${program.url}/api/imei`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${enterprise}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ identifier: '490154203237518' }),
      })
      await response.arrayBuffer()
      expect(response.status).toBe(200)
    }
  } finally {
    flooder.stdin.end()
    await reading
  }
  const { refused, closed } = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, number>
  await program.stop()
  expect(refused).toBeGreaterThan(CONNECTIONS)
  expect(closed).toBeGreaterThan(0)
})
