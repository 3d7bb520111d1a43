import { afterAll, beforeAll, expect, test } from 'bun:test'
import { userInfo } from 'node:os'
import { commandLineActor } from '../../src/auth/actor.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { runProgram } from '../support/program.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { storeFeeds } from '../support/stored-entries.ts'

const LIST = 'IMEI,reporting_date,status\n35693803564380,,\n35693803564381,,\n'
const DELTA = 'IMEI,reporting_date,status,change_type\n35693803564382,,,add\n35693803564380,,,remove\n'

onDatabaseOfSuite((store) => {
  let opening: DatabaseOptions
  let service: TestService
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening)
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
  })
  afterAll(() => service.stop())

  type Entry = { action: string; who: string; subject: string; detail: Record<string, string> }
  async function lists(organizationId: string): Promise<Omit<Entry, 'action'>[]> {
    const someone = await member(service, organizationId, 'manager')
    const data: Entry[] = (await someone.get('/api/manage/audit')).body.data
    return data
      .filter(({ action }) => action === 'list.imported')
      .map(({ who, subject, detail }) => ({ who, subject, detail }))
  }

  test('an imported list, full or incremental, is in the activity of every organization', async () => {
    const who = commandLineActor(userInfo().username).who
    expect((await importText(opening, 'lists', 'stolen.csv', LIST)).code).toBe(0)
    expect((await importText(opening, 'lists', 'changes.csv', DELTA)).code).toBe(0)
    const expected: Omit<Entry, 'action'>[] = [
      { who, subject: 'stolen', detail: { kind: 'stolen', entries: '2', added: '1', removed: '1' } },
      { who, subject: 'stolen', detail: { kind: 'stolen', entries: '2', cleared: '0' } },
    ]
    expect(await lists(service.organizationId)).toEqual(expected)
    const { organizationId } = await service.newOrganization('Tenant')
    // Other organizations see that results changed, but not who imported the list.
    expect(await lists(organizationId)).toEqual(expected.map((entry) => ({ ...entry, who: 'the operator' })))
  })

  test('a feed leaves the same entry, in its name', async () => {
    await using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(LIST) })
    const url = `http://127.0.0.1:${server.port}/police.csv`
    await storeFeeds(opening, [{ name: 'police', format: 'lists', url, options: { list: 'police' } }])
    const environment = { DATA_DIR: opening.dataDir, DATABASE_URL: opening.url }
    expect((await runProgram(['api', 'POST', '/api/manage/service/feeds/police/run'], environment)).code).toBe(0)
    const [newest] = await lists(service.organizationId)
    expect(newest).toMatchObject({ who: 'feed police', subject: 'police', detail: { entries: '2' } })
  })

  test('a list is not changed if its audit entry cannot be written', async () => {
    const { db } = service.app
    const storedLists = () => db.query.selectFrom('identifier_list').selectAll().orderBy('name').execute()
    const rename = (from: string, to: string) =>
      db.transaction(async (tx) => {
        await tx.schema.alterTable(from).renameTo(to).execute()
      })
    const before = await storedLists()
    await rename('audit_entry', 'audit_entry_elsewhere')
    const failed = await importText(opening, 'lists', 'stolen.csv', `${LIST}35693803564389,,\n`)
    await rename('audit_entry_elsewhere', 'audit_entry')
    expect(failed.code).toBe(1)
    expect(await storedLists()).toEqual(before)
  })
})
