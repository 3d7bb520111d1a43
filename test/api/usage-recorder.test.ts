import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Database, openDatabase } from '../../src/db/database.ts'
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
