import { test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { killFirstStart } from '../support/killed-start.ts'
import { waitUntil } from '../support/wait.ts'

for (const [moment, file] of [
  ['its database is created', 'device-intelligence.sqlite'],
  ['its keys are written', 'first-keys.txt'],
] as const) {
  test(`a first start is killed when ${moment}: the next one recovers, and every key shown exists`, async () => {
    await killFirstStart((dataDir) =>
      waitUntil(() => existsSync(join(dataDir, file)), { describe: `the file ${file}`, everyMs: 1 }),
    )
  })
}
