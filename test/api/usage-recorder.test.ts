import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { HOUR_MS } from '../../src/lib/time.ts'
import { openUsageRecorder } from '../../src/usage/usage-recorder-service.ts'
import { type UsageStore, usageStore } from '../../src/usage/usage-store.ts'
import { onBothDatabases } from '../support/databases.ts'

const NOON = Date.parse('2026-03-02T12:00:00Z')

onBothDatabases((store) => {
  let db: Database
  let usage: UsageStore
  beforeAll(async () => {
    db = await openDatabase(await store.openEmpty())
    usage = usageStore(db)
  })
  afterAll(() => db.close())

  const complaints: string[] = []
  const recorder = (over: UsageStore, writerId: string) =>
    openUsageRecorder(over, {
      onWarning: (message) => complaints.push(message),
      writerId,
      mayDelete: async () => true,
    })
  const use = (organizationId: string) => ({ organizationId, keyId: 'key_a', route: '/api/devices', status: 200 })
  const counted = async (organizationId: string) =>
    (await usage.of(organizationId, '2026-01-01', NOON)).rows[0]?.count ?? 0

  test('every request is counted once, however often the counts are written', async () => {
    const counts = recorder(usage, 'alone')
    for (let i = 0; i < 3; i++) counts.add(use('org_interval'), NOON + i)
    await Promise.all([counts.flush(), counts.flush()])
    expect(await counted('org_interval')).toBe(3)
    await counts.close()
    expect(await counted('org_interval')).toBe(3)
  })

  test('usage of many keys is cut to the newest days and hours, and says so', async () => {
    const keys = Array.from({ length: 4_000 }, (_, at) => `key_${at}`)
    const rows = ['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01'].flatMap((day) =>
      keys.map((key_id) => ({
        organization_id: 'org_many',
        day,
        key_id,
        route: '/api/devices',
        status: 200,
        count: 1,
      })),
    )
    const hour = Math.floor(NOON / HOUR_MS)
    const hours = [hour - 3, hour - 2, hour - 1].flatMap((at) =>
      keys.map((key_id) => ({
        organization_id: 'org_many',
        hour: at,
        key_id,
        route: '/api/devices',
        status: 200,
        latency: 1,
        count: 1,
      })),
    )
    await db.transaction(async (tx) => {
      await db.insertMany(tx, 'usage_count', rows)
      await db.insertMany(tx, 'usage_hour', hours)
    })
    const byDay = await usage.of('org_many', '2026-02-01', NOON)
    expect(byDay.from).toBe('2026-02-28')
    expect(byDay.rows).toHaveLength(8_000)
    expect(byDay.rows[0]?.day).toBe('2026-02-28')
    const byHour = await usage.hoursOf('org_many', hour - 24)
    expect(byHour.from).toBe(hour - 2)
    expect(byHour.rows).toHaveLength(8_000)
    expect((await usage.of('org_interval', '2026-02-01', NOON)).from).toBe('2026-02-01')
  })

  test('counts that could not be written are written by the next attempt, together with newer ones', async () => {
    let away = true
    const failing: UsageStore = {
      ...usage,
      add: async (...batch) => {
        if (away) throw new Error('away')
        return usage.add(...batch)
      },
    }
    const counts = recorder(failing, 'patient')
    for (let attempt = 0; attempt < 2; attempt++) {
      counts.add(use('org_away'), NOON)
      await expect(counts.flush()).rejects.toThrow('away')
    }
    expect(await counted('org_away')).toBe(0)
    away = false
    counts.add(use('org_away'), NOON)
    await counts.flush()
    expect(await counted('org_away')).toBe(3)
    await counts.close()
    expect(complaints).toEqual([])
  })

  test('counts whose commit succeeded but whose confirmation was lost are not written again', async () => {
    let loses = true
    const losing: UsageStore = {
      ...usage,
      add: async (...batch) => {
        await usage.add(...batch)
        if (loses) throw new Error('the line was cut')
      },
    }
    const counts = recorder(losing, 'unlucky')
    counts.add(use('org_lost'), NOON)
    await expect(counts.flush()).rejects.toThrow('cut')
    expect(await counted('org_lost')).toBe(1)
    await expect(counts.flush()).rejects.toThrow('cut')
    loses = false
    counts.add(use('org_lost'), NOON)
    await counts.close()
    expect(await counted('org_lost')).toBe(2)
    expect((await usage.of('org_lost', '2026-01-01', NOON)).peaks[0]?.peak_per_minute).toBe(2)
  })

  test('two processes add to the same day', async () => {
    const [one, other] = [recorder(usage, 'one'), recorder(usage, 'other')]
    one.add(use('org_two'), NOON)
    other.add(use('org_two'), NOON)
    await Promise.all([one.close(), other.close()])
    expect(await counted('org_two')).toBe(2)
  })

  test('usage and the request log are not deleted by age while the clock is suspect', async () => {
    const state = { isTrusted: false, deletions: 0 }
    const counting: UsageStore = {
      ...usage,
      deleteOldUsage: async () => void state.deletions++,
      deleteOldRequests: async () => void state.deletions++,
    }
    const counts = openUsageRecorder(counting, {
      onWarning: () => {},
      writerId: 'clock',
      mayDelete: async () => state.isTrusted,
    })
    await counts.deleteOld()
    expect(state.deletions).toBe(0)
    state.isTrusted = true
    await counts.deleteOld()
    expect(state.deletions).toBe(2)
    await counts.close()
  })
})
