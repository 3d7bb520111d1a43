import { afterAll, expect, test } from 'bun:test'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { idempotentOperations } from '../../src/records/idempotent-operation.ts'
import { recordStore } from '../../src/records/record-store.ts'
import { onBothDatabases } from '../support/databases.ts'

onBothDatabases((store) => {
  const opened: Database[] = []
  afterAll(async () => {
    for (const db of opened) await db.close()
  })

  test('a key that another process frees at the same moment is claimed or rejected, and never an error of ours', async () => {
    const options = await store.openEmpty()
    for (let processes = 0; processes < 3; processes++) opened.push(await openDatabase(options))
    const runners = opened.map((db) => idempotentOperations(recordStore(db)))
    const messages = new Set<string>()
    for (let round = 0; round < 60; round++) {
      const request = {
        organizationId: 'org_1',
        key: `k${round}`,
        target: 'POST /',
        body: {},
        secretFields: [],
        now: 1,
      }
      const fail = () => Promise.reject(new Error('not possible here'))
      const runs = runners.map((runOnce) => runOnce(request, fail))
      for (const run of await Promise.allSettled(runs))
        messages.add(run.status === 'rejected' ? run.reason.message : 'done')
    }
    const isExpected = (message: string) => message === 'not possible here' || message.startsWith('Idempotency-Key')
    expect([...messages].filter((message) => !isExpected(message))).toEqual([])
  })
})
