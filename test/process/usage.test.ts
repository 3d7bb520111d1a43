import { expect, test } from 'bun:test'
import { openDatabase } from '../../src/db/open.ts'
import { newDataDir, shownKeys, startProgram } from '../support/program.ts'

async function counted(dataDir: string): Promise<number> {
  const db = await openDatabase({ url: '', dataDir })
  const rows = await db.query.selectFrom('usage_count').select('count').where('route', '=', '/api/devices').execute()
  await db.close()
  return rows.reduce((sum, row) => sum + row.count, 0)
}

test('usage is exact after a clean stop, over two starts', async () => {
  const dataDir = newDataDir()
  let key = ''
  for (const expected of [25, 50]) {
    const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
    key ||= shownKeys(program.stderr()).public
    const headers = { Authorization: `Bearer ${key}` }
    await Promise.all(Array.from({ length: 25 }, () => fetch(`${program.url}/api/devices?limit=1`, { headers })))
    expect(await program.stop()).toBe(0)
    expect(await counted(dataDir)).toBe(expected)
  }
}, 60_000)
