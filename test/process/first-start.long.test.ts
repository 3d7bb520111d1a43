import { test } from 'bun:test'
import { killFirstStart } from '../support/killed-start.ts'

/** Moments of a first start: from before the database is opened until after the keys are shown. */
const KILLED_AFTER_MS = (process.env.KILL_AFTER ?? '150,450,900').split(',').map(Number)

for (const afterMs of KILLED_AFTER_MS) {
  test(`a first start is killed after ${afterMs} ms: the next one recovers, and every key shown exists`, async () => {
    await killFirstStart(() => Bun.sleep(afterMs))
  })
}
