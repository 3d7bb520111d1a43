import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { isUniqueViolation } from '../../src/db/database-errors.ts'
import { countRows } from '../../src/db/row-count.ts'
import { onBothDatabases } from '../support/databases.ts'
import { waitUntil } from '../support/wait.ts'

onBothDatabases((store) => {
  let one: Database
  let other: Database
  beforeAll(async () => {
    const opening = await store.openEmpty()
    // Opened concurrently, as two servers on one database would: both must find the complete schema.
    ;[one, other] = await Promise.all([openDatabase(opening), openDatabase(opening)])
  })
  afterAll(async () => {
    await one.close()
    await other.close()
  })

  /** Waits for a marker event: everything announced before it has been received by then. */
  async function receivedSoFar(): Promise<void> {
    await one.transaction((tx) => one.announceChange(tx, 'events'))
    const received = Promise.withResolvers<void>()
    const stop = other.onChange('events', received.resolve)
    await received.promise
    stop()
  }

  test('a database of a draft is refused with a sentence that says what to do', async () => {
    const opening = await store.openEmpty()
    const draft = await openDatabase(opening)
    await draft.transaction((tx) => sql`update migration set name = '001-foundation'`.execute(tx))
    await draft.close()
    expect(openDatabase(opening)).rejects.toThrow(
      'A draft from before version 0.1.0 created this database, and its data cannot be read: start with an empty data folder or database.',
    )
  })

  test('rows are counted in steps, also with gaps', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => ({
      organization_id: 'org_count',
      day: '2026-01-01',
      key_id: `key_${at}`,
      peak_per_minute: at,
    }))
    expect(await countRows(one, 'usage_peak')).toBe(0)
    await one.transaction(async (tx) => {
      await one.insertMany(tx, 'usage_peak', rows)
      await tx.deleteFrom('usage_peak').where('peak_per_minute', '<', 100).execute()
    })
    expect(await countRows(one, 'usage_peak')).toBe(59_900)
  })

  test('an announced change is received by another process, once', async () => {
    await one.transaction((tx) => one.announceChange(tx, 'catalogue'))
    let received = 0
    const stop = other.onChange('catalogue', () => received++)
    await receivedSoFar()
    const before = received
    await one.transaction((tx) => one.announceChange(tx, 'catalogue'))
    await waitUntil(() => received > before, { describe: 'the announced change' })
    await receivedSoFar()
    expect(received).toBe(before + 1)
    stop()
  })

  // Caches read first and subscribe then; a change in between must not be lost.
  test('a new listener is notified once, in case something changed since it read', async () => {
    const stopFirst = other.onChange('lists', () => {})
    await one.transaction((tx) => one.announceChange(tx, 'repair'))
    await receivedSoFar()
    let notices = 0
    const stopSecond = other.onChange('repair', () => notices++)
    await waitUntil(() => notices > 0, { describe: 'the one notice' })
    await receivedSoFar()
    expect(notices).toBe(1)
    stopFirst()
    stopSecond()
  })

  test('a failed transaction writes nothing', async () => {
    const failing = one.transaction(async (tx) => {
      await tx.insertInto('setting').values({ name: 'half', value: 'x' }).execute()
      throw new Error('stop')
    })
    expect(failing).rejects.toThrow('stop')
    await failing.catch(() => {})
    expect(await one.query.selectFrom('setting').where('name', '=', 'half').selectAll().execute()).toEqual([])
  })

  test('transactions of one process never mix', async () => {
    await one.transaction((tx) => tx.insertInto('setting').values({ name: 'tally', value: '0' }).execute())
    const addOne = () =>
      one.transaction(async (tx) => {
        const { value } = await tx
          .selectFrom('setting')
          .select('value')
          .where('name', '=', 'tally')
          .$if(one.admin.dialect === 'postgres', (q) => q.forUpdate())
          .executeTakeFirstOrThrow()
        await Bun.sleep(1)
        await tx
          .updateTable('setting')
          .set({ value: String(Number(value) + 1) })
          .where('name', '=', 'tally')
          .execute()
      })
    await Promise.all(Array.from({ length: 20 }, addOne))
    const { value } = await other.query
      .selectFrom('setting')
      .select('value')
      .where('name', '=', 'tally')
      .executeTakeFirstOrThrow()
    expect(value).toBe('20')
  })

  test('many rows are inserted at once, the last of equal rows wins, and a repeat changes nothing', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => ({ name: `row-${i % 2_000}`, value: `v${i} "ü" \\ '` }))
    for (let times = 0; times < 2; times++) {
      await one.transaction((tx) => one.insertMany(tx, 'setting', rows, { conflictColumns: ['name'] }))
    }
    const stored = await one.query
      .selectFrom('setting')
      .where('name', 'like', 'row-%')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(stored.count).toBe(2_000)
    const last = await one.query.selectFrom('setting').where('name', '=', 'row-5').selectAll().executeTakeFirstOrThrow()
    expect(last.value).toBe(`v2005 "ü" \\ '`)
  })

  test('rows and statements written together are committed together or not at all', async () => {
    const statement = one.query.updateTable('setting').set({ value: 'told' }).where('name', '=', 'w-1').compile()
    await one.bulk.writeBatch(
      [
        { table: 'setting', rows: ['w-1', 'w-2'].map((name) => ({ name, value: '"ü"' })) },
        { table: 'setting', rows: [] },
      ],
      [statement],
    )
    const read = () =>
      other.query.selectFrom('setting').where('name', 'like', 'w-%').orderBy('name').selectAll().execute()
    const written = [
      { name: 'w-1', value: 'told' },
      { name: 'w-2', value: '"ü"' },
    ]
    expect(await read()).toEqual(written)
    const failing = one.bulk.writeBatch([
      { table: 'setting', rows: ['w-3', 'w-1'].map((name) => ({ name, value: 'x' })) },
    ])
    expect(await failing.then(() => null, isUniqueViolation)).toBe(true)
    expect(await read()).toEqual(written)
  })

  test('a batch stores texts, empty ones, numbers and nulls as they were given', async () => {
    const rows = ['', null, '\u{1f4f1} "ü"\\\n', null, 'plain'].map((text, at) => ({
      organization_id: 'batch',
      id: `row-${at}`,
      identifier_key: text ?? '',
      second_identifier_key: text,
      created_at: 1_800_000_000_000 + at,
      response: JSON.stringify({ text }),
    }))
    await one.bulk.writeBatch([{ table: 'lookup', rows }])
    const stored = other.query.selectFrom('lookup').where('organization_id', '=', 'batch').orderBy('id').selectAll()
    expect(await stored.execute()).toEqual(rows)
  })

  test('writes and transactions of two processes wait for each other', async () => {
    const rows = (from: number) => [{ table: 'setting' as const, rows: [{ name: `turn-${from}`, value: 'x' }] }]
    await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        if (at % 3 === 0) return one.bulk.writeBatch(rows(at))
        if (at % 3 === 1) return other.bulk.writeBatch(rows(at))
        return one.transaction((tx) => one.insertMany(tx, 'setting', [{ name: `turn-${at}`, value: 'x' }]))
      }),
    )
    const stored = await one.query.selectFrom('setting').where('name', 'like', 'turn-%').selectAll().execute()
    expect(stored).toHaveLength(60)
  })

  test('a lock that is held, or waited for, holds no snapshot: VACUUM can remove old rows', async () => {
    if (one.admin.dialect === 'sqlite') return
    const waiting = Promise.withResolvers<void>()
    let waiter: Promise<void> | undefined
    await one.withLock(
      'vacuum-test',
      async () => {
        waiter = other.withLock('vacuum-test', async () => {}, waiting.resolve)
        await waiting.promise
        const { rows } = await sql<{ application_name: string; backend_xmin: string | null }>`
          select application_name, backend_xmin from pg_stat_activity
          where datname = current_database() and state = 'idle in transaction' and backend_xmin is not null`.execute(
          one.query,
        )
        expect(rows).toEqual([])
      },
      () => {},
    )
    await waiter
  })
})
