import { expect, test } from 'bun:test'
import { eventStore } from '../../src/events/event-store.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { readLastRun, writeLastRun } from '../../src/records/retention-store.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

onDatabaseOfSuite((store) => {
  test('while the clock is more than a day ahead no events are deleted, and the log and the attention list report it', async () => {
    await using service = await startService(await store.open(), { SAMPLE_DATA: 'off' })
    const { db, startLeading } = service.app
    const { organizationId } = service
    const owner = await member(service, organizationId, 'owner')
    const data = { webhook_id: 'whk_0', url: 'https://hooks.example/', reason: 'test' }
    const old = { type: 'webhook.disabled', subject: 'old', createdAt: Date.now() - 60 * DAY_MS } as const
    await eventStore(db).write([{ ...old, organizationId, data }])
    const isStored = async () => {
      const rows = await db.transaction((tx) =>
        tx.selectFrom('event').select('id').where('subject', '=', 'old').execute(),
      )
      return rows.length === 1
    }
    const attention = async () =>
      (await owner.get('/api/manage/attention')).body.data.map(({ kind }: { kind: string }) => kind)
    const lastRun = Date.now() - 400 * DAY_MS
    await writeLastRun(db, lastRun)
    let stop = startLeading()
    await waitUntil(async () => (await attention()).includes('clock_jumped'), { describe: 'the alert' })
    await stop()
    expect(service.logged()).toContain('the clock jumped; check the system time')
    expect(await isStored()).toBe(true)
    expect(await readLastRun(db)).toBe(lastRun)
    // The operator corrects the clock.
    await writeLastRun(db, Date.now())
    stop = startLeading()
    await waitUntil(async () => !(await isStored()), { describe: 'the old event to be deleted' })
    await stop()
    expect(await attention()).not.toContain('clock_jumped')
  })
})
