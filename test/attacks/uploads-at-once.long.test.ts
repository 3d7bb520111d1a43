import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { dayOf } from '../../src/lib/time.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const ROWS = 300
const LIST = [
  'listing_id,variant_id,condition,price,currency,date,side',
  ...Array.from(
    { length: ROWS },
    (_, at) => `row-${at},apple-iphone-13-128gb-midnight,Good,${280 + (at % 20)}.00,USD,${dayOf(Date.now())},ask`,
  ),
].join('\n')

onDatabaseOfSuite((store) => {
  let opening: DatabaseOptions
  let service: TestService
  let db: Database
  let stopLeading: () => Promise<void>
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening)
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
    stopLeading = service.app.startLeading()
    db = await openDatabase(opening)
  })
  afterAll(async () => {
    await stopLeading()
    await db.close()
    await service.stop()
  })

  test('the same file from several people at once, each request doubled, is stored once', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => member(service, service.organizationId, 'owner')))
    const statuses = new Map<number, number>()
    const count = ({ status }: { status: number }) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const content = Buffer.from(LIST).toString('base64')
    async function upload(person: (typeof people)[number]): Promise<void> {
      const started = await person.post('/api/manage/uploads', {
        format: 'observations',
        file: 'same.csv',
        bytes: Buffer.byteLength(LIST),
      })
      count(started)
      const id = started.body?.data?.id as string | undefined
      if (!id) return
      const path = `/api/manage/uploads/${id}`
      const twice = async (send: () => Promise<{ status: number }>) => {
        for (const response of await Promise.all([send(), send()])) count(response)
      }
      const isSettled = async () => {
        const { state } = (await service.app.uploads.store.find(id)) ?? {}
        return state !== 'checking' && state !== 'running'
      }
      await twice(() => person.post(`${path}/parts`, { at: 0, content }))
      await twice(() => person.send('PATCH', `${path}`, { action: 'check', options: {} }))
      await waitUntil(isSettled, { describe: 'the check' })
      await twice(() => person.send('PATCH', `${path}`, { action: 'run' }))
      await waitUntil(isSettled, { describe: 'the import' })
    }
    for (let round = 0; round < 1; round++) await Promise.all(people.map(upload))
    console.log(`uploads at once: ${JSON.stringify([...statuses])}`)
    expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([])
    const { rows } = await db.query
      .selectFrom('observation')
      .innerJoin('observation_source', 'observation_source.id', 'source_id')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where('name', '=', 'same')
      .executeTakeFirstOrThrow()
    expect(Number(rows)).toBe(ROWS)
  }, 240_000)
})
