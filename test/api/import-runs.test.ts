import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { startRun } from '../../src/import/import-run-store.ts'
import { sortableId } from '../../src/lib/id.ts'
import { member } from '../support/browser-session.ts'
import { onBothDatabases } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { runProgram } from '../support/program.ts'
import { startService, type TestService } from '../support/service.ts'
import { storeFeeds } from '../support/stored-entries.ts'

const DEVICES = 'make,device,model_identifiers,device_model_numbers\nAcme,Run Test,run,R-1\n,,no-brand,X\n'
const LIST = 'IMEI,reporting_date,status\n35693803564380,,\n35693803564381,,\n'

let policeList = LIST
const police = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(policeList) })
afterAll(() => police.stop(true))

/** One feed that is scheduled, and one that has run and failed. */
const FEEDS = [
  { name: 'market', format: 'observations', url: 'https://market.example/prices.csv', schedule: '30 3 1 1 *' },
  { name: 'police', format: 'lists', url: `http://127.0.0.1:${police.port}/police.csv`, options: { list: 'police' } },
]

onBothDatabases((store) => {
  let opening: DatabaseOptions
  let service: TestService
  beforeAll(async () => {
    opening = await store.open()
    await storeFeeds(opening, FEEDS)
    service = await startService(opening)
    expect(await importText(opening, 'catalogue', 'devices.csv', DEVICES)).toMatchObject({ code: 0 })
    expect(await importText(opening, 'lists', 'stolen.csv', LIST)).toMatchObject({ code: 0 })
    expect((await importText(opening, 'lists', 'secret.csv', 'serial 356938035643809\n1\n')).code).toBe(1)
    const startedAt = Date.now()
    const id = sortableId('imp', startedAt)
    await startRun(service.app.db, { id, format: 'rates', file: 'rates.csv', startedAt })
  })
  afterAll(() => service.stop())

  const status = (...args: string[]) =>
    runProgram(['status', ...args], { DATA_DIR: opening.dataDir, DATABASE_URL: opening.url })

  test('an owner sees the imports, newest first, and nothing of the files', async () => {
    const owner = await member(service, service.organizationId, 'owner')
    const { body, text } = await owner.get('/api/manage/imports')
    expect(body.data).toMatchObject([
      { format: 'rates', state: 'unfinished', finished_at: null, counts: {} },
      { format: 'lists', state: 'failed', counts: {} },
      { format: 'lists', state: 'done', counts: { rows: 2, entries: 2, rejected: 0 } },
      { format: 'catalogue', state: 'done', counts: { rows: 2, devices_new: 1, rejected: 1 } },
    ])
    expect(text).not.toMatch(/\.csv|serial/)
  })

  test('a member does not see them', async () => {
    const someone = await member(service, service.organizationId, 'manager')
    expect((await someone.get('/api/manage/imports')).status).toBe(403)
  })

  test('status shows imports with their files and the reason of a failure, without the identifier', async () => {
    const { imports } = JSON.parse((await status('--json')).stdout)
    expect(imports).toMatchObject([
      { format: 'rates', file: 'rates.csv', state: 'unfinished', failure: null },
      { format: 'lists', state: 'failed', counts: {} },
      { format: 'lists', state: 'done', counts: { entries: 2 } },
      { format: 'catalogue', state: 'done', counts: { rejected: 1 } },
    ])
    expect(imports[1].failure).toMatch(/has no column imei.*serial 35693803•••••09/)
    const { stdout } = await status()
    expect(stdout).toMatch(/^ID +IMPORT +STARTED +TOOK +STATE +FILE +RESULT$/m)
    expect(stdout).toMatch(
      /^\S+ +catalogue +\d{4}-\d\d-\d\d \d\d:\d\d UTC +[\d.]+ s +done +\S+devices\.csv +2 rows, 1 rejected$/m,
    )
  })

  test('status shows the newest five', async () => {
    for (let i = 0; i < 3; i++) await importText(opening, 'lists', `again-${i}.csv`, LIST)
    const { imports } = JSON.parse((await status('--json')).stdout)
    expect(imports).toHaveLength(5)
    expect(imports[0].file).toEndWith('again-2.csv')
  })

  test('an owner sees the feeds with their schedule, without addresses or failure reasons', async () => {
    const environment = { DATA_DIR: opening.dataDir, DATABASE_URL: opening.url }
    policeList = LIST
    expect((await runProgram(['import', 'feed', 'police'], environment)).code).toBe(0)
    policeList = 'serial\n1\n'
    expect((await runProgram(['import', 'feed', 'police'], environment)).code).toBe(1)
    const owner = await member(service, service.organizationId, 'owner')
    const { body, text } = await owner.get('/api/manage/feeds')
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    expect(body.data).toEqual([
      {
        name: 'market',
        format: 'observations',
        schedule: '30 3 1 1 *',
        time_zone: 'UTC',
        prices: null,
        outcome: null,
        last_run_at: null,
        last_success_at: null,
        last_failure_at: null,
        next_run_at: expect.stringMatching(/-01-01T03:30:00\.000Z$/),
      },
      {
        name: 'police',
        format: 'lists',
        schedule: null,
        time_zone: null,
        prices: null,
        outcome: 'failed',
        next_run_at: null,
        last_run_at: instant,
        last_success_at: instant,
        last_failure_at: instant,
      },
    ])
    expect(text).not.toMatch(/\.csv|market\.example|imei/)
  })
})
