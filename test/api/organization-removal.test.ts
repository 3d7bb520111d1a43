import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PART_BYTES } from '../../src/contract/uploads.ts'
import type { Database, DatabaseOptions } from '../../src/db/database.ts'
import { importHistory } from '../../src/import/import-history-service.ts'
import { removeObservationsOfOrganization } from '../../src/import/prices/observation-removal-store.ts'
import { laneLock } from '../../src/jobs/job-runner-service.ts'
import { jobStore } from '../../src/jobs/job-store.ts'
import { openLog } from '../../src/lib/log.ts'
import { openOrganizationRemoval } from '../../src/records/organization-removal-service.ts'
import { organizationRemovalStore } from '../../src/records/organization-removal-store.ts'
import { countRows } from '../support/count-rows.ts'
import { onBothDatabases } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const ROWS = 20_000
const OPTIONS = {
  map: JSON.stringify({ model: 'title', amount: 'price', condition: 'grade', date: 'day' }),
  side: 'ask',
  currency: 'USD',
}

onBothDatabases((store) => {
  let opening: DatabaseOptions
  let service: TestService
  let db: Database
  let stopLeading: () => Promise<void>
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening)
    db = service.app.db
    await service.app.auth.setOperatorOrganization(service.organizationId, OPERATOR, Date.now())
    stopLeading = service.app.startLeading()
  })
  afterAll(async () => {
    await stopLeading()
    await service.stop()
  })

  const reportsFolder = () => join(opening.dataDir, 'reports')
  const openRemoval = (replaced: Partial<Parameters<typeof openOrganizationRemoval>[0]> = {}) =>
    openOrganizationRemoval({
      store: organizationRemovalStore(db),
      removeObservations: (id) => removeObservationsOfOrganization(db, id),
      removeFiles: importHistory(db, opening.dataDir).removeFilesOf,
      log: openLog('error', { write: () => {} }),
      now: Date.now,
      waitMs: 0,
      ...replaced,
    })
  const pending = async () => (await organizationRemovalStore(db).pending()).map(({ id }) => id)

  test('the end of access and the promise to remove the rest are one step', async () => {
    const { organizationId } = await service.newOrganization('Interrupted')
    await organizationRemovalStore(db).endAccess(organizationId, 'Interrupted', OPERATOR, Date.now())
    // The process may be killed here.
    expect(await pending()).toContain(organizationId)
    const afterRestart = openRemoval()
    await afterRestart.resume()
    await waitUntil(async () => !(await pending()).includes(organizationId), { describe: 'the removal' })
    expect(await service.app.auth.organizationName(organizationId)).toBeNull()
    await afterRestart.close()
  })

  test('a removal that fails, such as on a full disk, is tried again without a restart', async () => {
    const { organizationId } = await service.newOrganization('Full')
    let attempts = 0
    const removal = openRemoval({
      removeObservations: async (id) => {
        attempts++
        if (attempts === 1) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
        return removeObservationsOfOrganization(db, id)
      },
    })
    await removal.remove(organizationId, 'Full', OPERATOR, Date.now())
    await waitUntil(async () => !(await pending()).includes(organizationId), { describe: 'the removal' })
    expect(attempts).toBe(2)
    await removal.close()
  })

  test('a running import of the organization ends, and neither its prices nor its rejected rows stay', async () => {
    const { organizationId } = await service.newOrganization('Importing')
    const { uploads } = service.app
    const owner = { organizationId, ownerId: 'acc_1', actor: OPERATOR }
    const lines = Array.from({ length: ROWS }, (_, at) =>
      at % 2 ? `Apple iPhone 13 128GB Midnight,${380 + (at % 40)},Good,2026-07-01` : `No such device ${at},1,Good,x`,
    )
    const text = Buffer.from(`title,price,grade,day\n${lines.join('\n')}\n`)
    const { id } = await uploads.begin(
      owner,
      { format: 'observations', file: 'own.csv', bytes: text.length },
      Date.now(),
    )
    for (let at = 0; at < text.length; at += PART_BYTES)
      await uploads.addPart(owner, id, at, text.subarray(at, at + PART_BYTES))
    const upload = () => uploads.store.find(id)
    await uploads.check(owner, id, OPTIONS, Date.now())
    await waitUntil(async () => (await upload())?.state === 'checked', { describe: 'the check' })
    await uploads.run(owner, id, Date.now())
    const jobId = (await upload())?.jobId ?? ''
    const written = () =>
      db.query
        .selectFrom('observation')
        .innerJoin('observation_source', 'observation_source.id', 'source_id')
        .select('listing_id')
        .where('organization_id', '=', organizationId)
        .limit(1)
        .execute()
    await waitUntil(async () => (await jobStore(db).find(jobId))?.startedAt, { describe: 'the import' })
    const removal = openRemoval()
    await removal.remove(organizationId, 'Importing', OPERATOR, Date.now())
    await removal.whenIdle()
    expect(await service.app.auth.organizationName(organizationId)).toBeNull()
    // The process of the import has ended.
    await db.withLock(
      laneLock('upload'),
      async () => {},
      () => {},
    )
    expect(await countRows(db, 'organization_id', organizationId)).toEqual({})
    expect(await jobStore(db).find(jobId)).toBeUndefined()
    expect(await upload()).toBeUndefined()
    expect(await written()).toEqual([])
    const reports = await db.query.selectFrom('job_report').select('job_id').where('job_id', '=', jobId).execute()
    expect(reports).toEqual([])
    expect(existsSync(reportsFolder()) ? readdirSync(reportsFolder()) : []).toEqual([])
    const orphans = await db.query
      .selectFrom('observation')
      .select('listing_id')
      .where('source_id', 'not in', db.query.selectFrom('observation_source').select('id'))
      .limit(1)
      .execute()
    expect(orphans).toEqual([])
    await removal.close()
  })

  test('a stop that was asked for before the process was killed still ends the job', async () => {
    const jobs = jobStore(db)
    const id = await db.transaction((tx) =>
      jobs.enqueue(tx, { kind: 'feed', subject: 'none', format: 'rates', file: 'x', now: Date.now() }),
    )
    await jobs.begin(id, Date.now())
    await jobs.cancel(id, Date.now())
    // The process was killed, and the next leader finds the job.
    expect(await jobs.begin(id, Date.now())).toBeUndefined()
    expect(await jobs.find(id)).toMatchObject({ state: 'cancelled', failure: { message: expect.stringMatching(/./) } })
  })
})
