import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { StoredAmountWire } from '../../src/contract/storage.ts'
import { STORAGE } from '../../src/contract/storage.ts'
import { reclaimDisk } from '../../src/db/reclaim-disk.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    const opening = await store.open()
    service = await startService(opening)
    owner = await member(service, service.organizationId, 'owner')
  })
  afterAll(() => service.stop())

  const storage = async (): Promise<Record<string, number>> => {
    const { body } = await owner.get('/api/usage')
    return Object.fromEntries((body.data.storage as StoredAmountWire[]).map(({ kind, used }) => [kind, used]))
  }
  const addList = async (name: string): Promise<string> =>
    (await owner.post('/api/lists', { name, header: ['Model', 'Memo'] })).body.data.id
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ line: at + 1, cells: ['iPhone 13', 'x'.repeat(1_900)] }))

  test('what an organization stores is counted, and deleting gives it back', async () => {
    const before = await storage()
    expect(Object.keys(before).sort()).toEqual(Object.keys(STORAGE).sort())
    const id = await addList('Counted')
    const patch = (json: object) => owner.send('PATCH', `/api/lists/${id}`, json)
    expect((await patch({ rows: rowsOf(20), omit_rows: true })).status).toBe(200)
    const filled = await storage()
    expect(filled.lists).toBe((before.lists ?? 0) + 1)
    expect(filled.list_rows).toBeGreaterThan(20 * 1_900)
    // The same rows again replace those that are there.
    await patch({ rows: rowsOf(20), omit_rows: true })
    expect((await storage()).list_rows).toBe(filled.list_rows as number)
    await patch({ words: [{ word: 'kratzer', condition: 'Fair' }] })
    expect((await storage()).words).toBe((before.words ?? 0) + 1)
    await owner.send('DELETE', `/api/lists/${id}`)
    expect(await storage()).toMatchObject({ lists: before.lists ?? 0, list_rows: before.list_rows ?? 0 })
  })

  test('a write beyond a bound is 409 and says what is full, how much and how to free it', async () => {
    const id = await addList('Full')
    await service.app.db.transaction((tx) =>
      tx.updateTable('device_list').set({ bytes: STORAGE.list_rows.limit }).where('id', '=', id).execute(),
    )
    const refused = await owner.send('PATCH', `/api/lists/${id}`, { rows: rowsOf(1) })
    expect(refused.status).toBe(409)
    expect(refused.body.error).toMatchObject({
      code: 'LIMIT_REACHED',
      message: 'Rows of device lists: 500,000,000 of 500,000,000 bytes are used. Remove a list first.',
      reason_code: 'limit_list_rows',
      params: { used: 500_000_000, limit: 500_000_000 },
    })
    expect((await owner.get(`/api/lists/${id}`)).body.data.rows).toEqual([])
    await owner.send('DELETE', `/api/lists/${id}`)
    const next = await addList('Free again')
    expect((await owner.send('PATCH', `/api/lists/${next}`, { rows: rowsOf(1) })).status).toBe(200)
  })

  test('words beyond the bound are rejected instead of forgetting others', async () => {
    const id = await addList('Words')
    const teach = (from: number, count: number, more: object = {}) =>
      owner.send('PATCH', `/api/lists/${id}`, {
        words: Array.from({ length: count }, (_, at) => ({ word: `word ${from + at}`, condition: 'Fair', ...more })),
      })
    const free = STORAGE.words.limit - ((await storage()).words ?? 0)
    for (let from = 0; from < free; from += 200)
      expect((await teach(from, Math.min(200, free - from))).status).toBe(200)
    const refused = await teach(100_000, 1)
    expect([refused.status, refused.body.error.reason_code]).toEqual([409, 'limit_words'])
    expect((await teach(0, 1, { forget: true })).status).toBe(200)
    expect((await teach(100_000, 1)).status).toBe(200)
  })

  if (store.name === 'SQLite')
    test('the file shrinks after rows were deleted', async () => {
      const { db } = service.app
      const blob = 'x'.repeat(100_000)
      const size = async () => {
        await sql`pragma wal_checkpoint(truncate)`.execute(db.query).catch(() => {})
        const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db.query)
        return Number(rows[0]?.page_count)
      }
      const row = (position: number) => ({
        organization_id: service.organizationId,
        photos_id: 'img_0',
        position,
        bytes: blob.length,
        document: blob,
      })
      await db.transaction(async (tx) => {
        for (let at = 0; at < 400; at++) await tx.insertInto('seller_photo').values(row(at)).execute()
      })
      const full = await size()
      await db.transaction((tx) => tx.deleteFrom('seller_photo').execute())
      await reclaimDisk(db)
      expect(await size()).toBeLessThan(full - 5_000)
    })
})
