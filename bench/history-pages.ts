/**
 * Deep pages of the history of one organization on SQLite, where queries run in the event loop: time that a page blocks the
 * loop, and total time. ROWS sets the length of the history.
 */
import { rmSync } from 'node:fs'
import { appraisalIdGenerator, appraisalIdLowerBound } from '../src/appraisal/appraisal-id.ts'
import { appraisalStore } from '../src/appraisal/appraisal-store.ts'
import { MAX_NUMBERED_ROWS } from '../src/contract/account-limits.ts'
import { openDatabase } from '../src/db/database.ts'
import { type RecordWrites, recordStore } from '../src/records/record-store.ts'
import { lookupIdGenerator, minLookupIdAt } from '../src/risk/lookup-id.ts'
import { lookupStore } from '../src/risk/lookup-store.ts'
import { newDataDir } from '../test/support/program.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'

const ROWS = Number(process.env.ROWS ?? 500_000)
const LIMIT = 100
const STEP = 5_000
const DAY_MS = 86_400_000

const dataDir = newDataDir()
const db = await openDatabase({ url: '', dataDir, workload: 'server' })
const lookups = lookupStore(db)
const appraisals = appraisalStore(db)
const organizationId = 'org_bench'
const now = Date.now()
const random = (limit: number) => Math.floor(Math.random() * limit)
const nextLookup = lookupIdGenerator(random)
const nextAppraisal = appraisalIdGenerator(random)
/** The length of a typical response. */
const response = JSON.stringify({ text: 'x'.repeat(1_050) })
const DECISIONS = ['buy', 'inspect', 'reject'] as const

const save = (writes: RecordWrites) => recordStore(db).save([{ organizationId, writes, idempotency: null, now }])
for (let from = 0; from < ROWS; from += STEP) {
  const creationTimes = Array.from(
    { length: STEP },
    (_, at) => now - DAY_MS + Math.floor(((from + at) / ROWS) * (DAY_MS / 2)),
  )
  const lookup = (createdAt: number, at: number) => ({
    id: nextLookup(createdAt),
    organizationId,
    // Every tenth lookup is of the same device.
    identifierKey: at % 10 === 0 ? '49015420323751' : String(35_000_000_000_000 + from + at),
    createdAt,
    json: response,
  })
  const appraisal = (createdAt: number, at: number) => ({
    id: nextAppraisal(createdAt),
    reference: null,
    decision: DECISIONS[at % 3] ?? 'buy',
    deviceId: null,
    createdAt,
    responseJson: response,
  })
  await save(lookups.writes(organizationId, creationTimes.map(lookup)))
  await save(appraisals.writes(organizationId, creationTimes.map(appraisal)))
}

const targets: BenchTarget[] = []

/** Measures the longest iteration of the event loop while a page is loaded, for the first time and again. */
async function measure(name: string, page: () => Promise<{ readonly records: readonly string[] }>): Promise<void> {
  for (const time of ['first', 'again']) {
    let isDone = false
    let longest = 0
    const watching = (async () => {
      for (let startedAt = performance.now(); !isDone; ) {
        await new Promise((resolve) => setImmediate(resolve))
        const endedAt = performance.now()
        longest = Math.max(longest, endedAt - startedAt)
        startedAt = endedAt
      }
    })()
    const requestedAt = performance.now()
    const { records } = await page()
    const elapsedMs = performance.now() - requestedAt
    isDone = true
    await watching
    if (records.length !== LIMIT) throw new Error(`${name}: ${records.length} rows instead of ${LIMIT}`)
    targets.push(below(`${name}, ${time}: longest iteration (whole page ${elapsedMs.toFixed(0)} ms)`, longest, 5, 'ms'))
  }
}

const lastNumbered = { limit: LIMIT, page: MAX_NUMBERED_ROWS / LIMIT }
const midway = now - DAY_MS + DAY_MS / 4
const deep = { limit: LIMIT, page: 1, after: minLookupIdAt(midway) }
const deepAppraisals = { ...deep, after: appraisalIdLowerBound(midway) }
await measure('last numbered page of lookups', () => lookups.history(organizationId, lastNumbered))
await measure('lookups by cursor', () => lookups.history(organizationId, deep))
await measure('lookups of one device', () => lookups.history(organizationId, deep, '49015420323751'))
await measure('appraisals by cursor', () => appraisals.history(organizationId, deepAppraisals))
await measure('appraisals of one decision', () =>
  appraisals.history(organizationId, { ...deepAppraisals, decision: 'buy' }),
)
await measure('appraisals from an instant on', () =>
  appraisals.history(organizationId, { ...lastNumbered, from: midway }),
)
await db.close()
rmSync(dataDir, { recursive: true, force: true })
reportTargets(targets)
