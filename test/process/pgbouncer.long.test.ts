import { afterAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { startPostgres } from '../support/postgres.ts'
import { newDataDir, type RunningProgram, runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
const folder = newDataDir()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

if (postgres && hasPgbouncer) {
  test('everything works through PgBouncer in transaction mode: start, lookups, sequential imports, revocation', async () => {
    const pooler = await startPgbouncer(await postgres.createDatabase())
    const settings = { DATABASE_URL: pooler.url, DATA_DIR: folder, RATE_LIMIT_ENTERPRISE: '1000000' }
    // Two at once on an empty database: the migration lock must work through the pooler.
    const migrated = await Promise.all([1, 2].map(() => runProgram(['org', 'create', 'Shop'], settings)))
    expect(migrated.map(({ code }) => code)).toEqual([0, 0])
    const programs = [await startProgram(settings), await startProgram(settings)] as const
    try {
      const [organization] = migrated
      const created = await runProgram(
        ['key', 'create', '--org', organization?.stdout.trim() ?? '', '--tier', 'enterprise'],
        settings,
      )
      const headers = { Authorization: `Bearer ${created.stdout.trim()}`, 'Content-Type': 'application/json' }
      const call = (program: RunningProgram, path: string, body?: object) =>
        fetch(program.url + path, {
          method: body ? 'POST' : 'GET',
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        })

      const acknowledged: string[] = []
      const senders = Array.from({ length: 12 }, async (_, sender) => {
        for (let n = sender; n < 120; n += 12) {
          const identifier = String(35_000_000_000_000 + n * 7_919)
          const response = await call(programs[n % 2] as RunningProgram, '/api/imei', { identifier })
          expect(response.status).toBe(200)
          acknowledged.push(((await response.json()) as { data: { lookup_id: string } }).data.lookup_id)
        }
      })
      await Promise.all(senders)
      const kept = new Set<string>()
      for (const page of [1, 2]) {
        const history = await call(programs[0], `/api/imei?limit=100&page=${page}`)
        for (const { lookup_id } of ((await history.json()) as { data: { lookup_id: string }[] }).data)
          kept.add(lookup_id)
      }
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])

      const file = join(folder, 'stolen.csv')
      writeFileSync(file, 'imei,status\n490154203237518,blacklist\n356938035643809,blacklist\n')
      const imports = await Promise.all(
        [1, 2].map((n) => runProgram(['import', 'lists', file, '--list', `l${n}`], settings)),
      )
      expect(imports.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(['', ''])

      const listKeys = ['key', 'list', '--org', organization?.stdout.trim() ?? '', '--json']
      const keys = JSON.parse((await runProgram(listKeys, settings)).stdout)
      const enterprise = keys.find((key: { tier: string }) => key.tier === 'enterprise')
      expect((await runProgram(['key', 'revoke', enterprise.id], settings)).code).toBe(0)
      for (const program of programs) {
        await waitUntil(async () => (await call(program, '/api/devices')).status === 401, {
          describe: 'the revoked key to be rejected',
        })
      }
    } finally {
      for (const program of programs) expect(await program.stop()).toBe(0)
      await pooler.stop()
    }
  })
}
