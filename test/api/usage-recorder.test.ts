import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { openUsageRecorder } from '../../src/usage/usage-recorder-service.ts'
import { type UsageStore, usageStore } from '../../src/usage/usage-store.ts'
import { onBothDatabases } from '../support/databases.ts'
import { waitUntil } from '../support/wait.ts'

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
  const recorder = (over: UsageStore, writerId: string, flushEveryMs?: number) =>
    openUsageRecorder(over, {
      onWarning: (message) => complaints.push(message),
      writerId,
      mayDelete: async () => true,
      ...(flushEveryMs ? { flushEveryMs } : {}),
    })
  const use = (organizationId: string) => ({ organizationId, keyId: 'key_a', route: '/api/devices', status: 200 })
  const counted = async (organizationId: string) =>
    (await usage.of(organizationId, '2026-01-01', NOON)).rows[0]?.count ?? 0

  test('what was counted is written by itself after one interval', async () => {
    const counts = recorder(usage, 'alone', 40)
    for (let i = 0; i < 3; i++) counts.add(use('org_interval'), NOON + i)
    await waitUntil(async () => (await counted('org_interval')) >= 3, { describe: 'the counts to be written' })
    expect(await counted('org_interval')).toBe(3)
    await counts.close()
    expect(await counted('org_interval')).toBe(3)
  })

  test('what could not be written is written by the next attempt, with what came meanwhile', async () => {
    let away = true
    const failing: UsageStore = {
      ...usage,
      add: async (...batch) => {
        if (away) throw new Error('away')
        return usage.add(...batch)
      },
    }
    const counts = recorder(failing, 'patient')
    counts.add(use('org_away'), NOON)
    await counts.flush()
    counts.add(use('org_away'), NOON)
    await counts.flush()
    expect(await counted('org_away')).toBe(0)
    away = false
    counts.add(use('org_away'), NOON)
    await counts.flush()
    expect(await counted('org_away')).toBe(3)
    await counts.close()
    expect(complaints).toHaveLength(2)
  })

  test('what was written although its answer was lost is not written again', async () => {
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
    await counts.flush()
    expect(await counted('org_lost')).toBe(1)
    await counts.flush()
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
    const state = { isTrusted: false, checks: 0, deletions: 0 }
    const counting: UsageStore = {
      ...usage,
      deleteOldUsage: async () => void state.deletions++,
      deleteOldRequests: async () => void state.deletions++,
    }
    const counts = openUsageRecorder(counting, {
      onWarning: () => {},
      writerId: 'clock',
      deleteEveryMs: 5,
      async mayDelete() {
        state.checks++
        return state.isTrusted
      },
    })
    await waitUntil(() => state.checks >= 3, { describe: 'three runs' })
    expect(state.deletions).toBe(0)
    state.isTrusted = true
    await waitUntil(() => state.deletions >= 2, { describe: 'a deletion' })
    await counts.close()
  })
})
