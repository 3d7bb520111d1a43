import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { IdentifierListTable } from '../../src/db/schema.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const LISTED = '356938035643809'
const UNLISTED = '354178036859789'
const WEEK = { area: 'DE', max_age_days: 7 }

onDatabaseOfSuite((store) => {
  describe('one imported row', () => {
    let service: TestService
    const assess = async (identifier: string) =>
      (await service.ask('/api/imei', { tier: 'enterprise', json: { identifier } })).body.data

    /** Writes the list as an import does, with one identifier; returns once it is served. */
    async function listIs(terms: Partial<IdentifierListTable>, unlistedIs: 'clean' | 'unknown'): Promise<void> {
      const { db } = service.app
      const list = {
        name: 'police',
        kind: 'stolen',
        entries: 1,
        imported_at: Date.now(),
        area: null,
        max_age_days: null,
      }
      await db.transaction(async (tx) => {
        await db.insertMany(tx, 'identifier_list', [{ ...list, ...terms } as IdentifierListTable], {
          conflictColumns: ['name'],
        })
        const row = { list: 'police', kind: 'stolen' as const, key14: LISTED.slice(0, 14), status: 'blacklist' }
        const when = { reported_on: null, listed_at: 1, cleared_at: null, run_id: 'test' }
        await db.insertMany(tx, 'listed_identifier', [{ ...row, ...when }], { conflictColumns: ['list', 'key14'] })
        await db.announceChange(tx, 'lists')
      })
      await waitUntil(
        async () => {
          const { blacklist_status, source } = await assess(UNLISTED)
          return source === 'registry' && blacklist_status === unlistedIs
        },
        { describe: `an identifier that is on no list to be ${unlistedIs}` },
      )
    }

    beforeAll(async () => {
      service = await startService(await store.open())
    })
    afterAll(() => service.stop())

    test('reports the listed identifier and makes no other identifier clean', async () => {
      await listIs({}, 'unknown')
      expect(await assess(LISTED)).toMatchObject({ blacklist_status: 'blacklisted', cleared_by: [] })
      expect(await assess(UNLISTED)).toMatchObject({ blacklist_status: 'unknown', source: 'registry', cleared_by: [] })
    })

    test('clears if its operator allowed it, and the response names the list', async () => {
      const imported = Date.now() - 6 * DAY_MS
      await listIs({ ...WEEK, imported_at: imported }, 'clean')
      expect(await assess(UNLISTED)).toMatchObject({
        blacklist_status: 'clean',
        gsma_status: 'unknown',
        cleared_by: [
          { source: 'registry', list: 'police', area: 'DE', entries: 1, updated_at: new Date(imported).toISOString() },
        ],
      })
      expect(await assess(LISTED)).toMatchObject({ blacklist_status: 'blacklisted', cleared_by: [] })
    })

    test('clears nothing once it is older than its operator allowed', async () => {
      await listIs({ ...WEEK, imported_at: Date.now() - 7 * DAY_MS - 60_000 }, 'unknown')
      expect(await assess(UNLISTED)).toMatchObject({ blacklist_status: 'unknown', cleared_by: [] })
      expect(await assess(LISTED)).toMatchObject({ blacklist_status: 'blacklisted' })
    })

    test('clears no unreliable identifier', async () => {
      await listIs(WEEK, 'clean')
      expect(await assess('354178036859781')).toMatchObject({ blacklist_status: 'unknown', cleared_by: [] })
    })

    test('the sandbox names itself as what cleared', async () => {
      expect((await assess('100000010000015')).cleared_by).toEqual([
        { source: 'sandbox', list: null, area: null, entries: null, updated_at: expect.any(String) },
      ])
      expect((await assess('100000010000023')).cleared_by).toEqual([])
    })
  })
})
