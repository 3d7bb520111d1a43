import { afterAll, beforeAll, expect, test } from 'bun:test'
import { recordStore } from '../../src/records/record-store.ts'
import { lookupIdGenerator } from '../../src/risk/lookup-id.ts'
import { lookupStore } from '../../src/risk/lookup-store.ts'
import { member } from '../support/browser-session.ts'
import { onBothDatabases } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

/** Of 100 records; numbered pages end at 10,000 records. */
const DEEPEST_PAGE = 100
const ROWS = 30_000
/** Without yielding to the event loop, at most one request is served during a download. */
const MIN_SERVED = 5
/** Read while other requests starve; otherwise a few dozen are enough for MIN_SERVED. */
const MAX_PAGES = 1_000

onBothDatabases((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  let key = ''

  beforeAll(async () => {
    service = await startService(await store.open())
    const { organizationId, keys } = await service.newOrganization('Long answers')
    key = keys.enterprise
    owner = await member(service, organizationId, 'owner')
    const lookup = await service.ask('/api/imei', { key, json: { identifier: '490154203237518' } })
    const nextId = lookupIdGenerator((limit) => Math.floor(Math.random() * limit))
    const from = Date.now() - 8 * 3_600_000
    for (let at = 0; at < ROWS; at += 5_000) {
      const records = Array.from({ length: 5_000 }, (_, more) => {
        const createdAt = from + (at + more) * 10
        const id = nextId(createdAt)
        return {
          id,
          organizationId,
          identifierKey: '49015420323751',
          createdAt,
          result: { ...lookup.body.data, lookup_id: id },
        }
      })
      const writes = lookupStore(service.app.db).writes(organizationId, records)
      await recordStore(service.app.db).save([{ organizationId, writes, idempotency: null, now: Date.now() }])
    }
  })
  afterAll(() => service.stop())

  /** Counts `/healthz` responses while `work` runs. */
  async function servedDuring(work: (served: () => number) => Promise<unknown>): Promise<number> {
    let isOver = false
    let served = 0
    const asking = (async () => {
      while (!isOver) {
        await (await fetch(`${service.url}/healthz`)).arrayBuffer()
        if (!isOver) served++
      }
    })()
    try {
      await work(() => served)
    } finally {
      isOver = true
      await asking
    }
    return served
  }

  test('other requests are served during a download of the whole history', async () => {
    let lines = 0
    const served = await servedDuring(async () => {
      const { text, status } = await owner.get('/api/imei?format=csv')
      expect(status).toBe(200)
      lines = text.trimEnd().split('\n').length
    })
    expect(lines).toBe(ROWS + 2)
    expect(served).toBeGreaterThanOrEqual(MIN_SERVED)
  })

  test('other requests are served while four callers read its deepest numbered pages', async () => {
    let pages = 0
    const served = await servedDuring((served) =>
      Promise.all(
        Array.from({ length: 4 }, async () => {
          while (served() < MIN_SERVED && pages < MAX_PAGES) {
            const page = await service.ask(`/api/imei?limit=100&page=${DEEPEST_PAGE - (pages++ % 10)}`, { key })
            expect(page.body.data).toHaveLength(100)
          }
        }),
      ),
    )
    expect(served).toBeGreaterThanOrEqual(MIN_SERVED)
  })
})
