import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, sqlitePath } from '../database.ts'

const COMMITS = 4_000
const LONGEST_MB = 64

test('the WAL of a service stays below 64 MB when all writes are made in the event loop', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'di-test-'))
  const db = await openDatabase({ url: '', dataDir, workload: 'server' })
  // Starts the thread that makes the checkpoints.
  await db.admin.checkWritable()
  let longest = 0
  for (let commit = 0; commit < COMMITS; commit++) {
    const row = { name: `setting ${commit % 50}`, value: `${commit} `.repeat(4_000) }
    await db.transaction((tx) => db.insertMany(tx, 'setting', [row], { conflictColumns: ['name'] }))
    longest = Math.max(longest, statSync(`${sqlitePath(dataDir)}-wal`).size / 1e6)
  }
  await db.close()
  rmSync(dataDir, { recursive: true })
  expect(longest).toBeLessThan(LONGEST_MB)
})
