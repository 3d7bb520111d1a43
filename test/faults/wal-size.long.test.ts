import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { shownKeys, startProgram } from '../support/program.ts'

const BATCHES = 50
const LONGEST_MB = 64

test('the SQLite WAL stays below 64 MB under heavy writes', async () => {
  const program = await startProgram({ RATE_LIMIT_ENTERPRISE: '10000000', LOG_LEVEL: 'error' })
  const { enterprise } = shownKeys(program.stderr())
  let longest = 0
  for (let batch = 0; batch < BATCHES; batch++) {
    const items = Array.from({ length: 1_000 }, (_, at) => ({
      identifier: String(35_000_000_000_000 + batch * 1_000 + at),
    }))
    const response = await fetch(`${program.url}/api/imei/batch`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${enterprise}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ items }),
    })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    longest = Math.max(longest, statSync(join(program.dataDir, 'device-intelligence.sqlite-wal')).size / 1e6)
  }
  await program.stop()
  console.log(`The log was ${longest.toFixed(1)} MB at its longest.`)
  expect(longest).toBeLessThan(LONGEST_MB)
})
