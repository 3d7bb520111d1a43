/**
 * Import of raw listing titles on SQLite, including program start. Target: 30,000 rows per second. No two rows are equal, so
 * that every title is parsed and matched.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledDevices } from '../src/catalog/bundled-catalogue-service.ts'
import { DAY_MS, dayOf } from '../src/lib/time.ts'
import { syntheticTitles } from './support/synthetic-titles.ts'
import { atLeast, reportTargets } from './support/targets.ts'
import { formatTimes, timedImport } from './support/timed-import.ts'

const ROWS = 200_000
const scratch = mkdtempSync(join(tmpdir(), 'di-titles-'))
const file = join(scratch, 'listings.csv')
const days = Array.from({ length: 180 }, (_, ago) => dayOf(Date.now() - ago * DAY_MS))
const writer = Bun.file(file).writer()
writer.write('listing_id,title,price,condition,date\n')
syntheticTitles(bundledDevices(), ROWS).forEach((title, at) => {
  const condition = ['Good', 'Very Good', 'Used', 'Excellent'][at % 4]
  writer.write(`${at},"${title.replaceAll('"', '""')} #${at}",$${150 + (at % 90)}.00,${condition},${days[at % 180]}\n`)
})
await writer.end()

const environment = { DATA_DIR: join(scratch, 'store') }
// Creates the database before the measured import.
await timedImport('rates', await ratesFile(), environment)
const timed = await timedImport('observations', file, environment, ['--side', 'ask', '--currency', 'USD'])
const { rows, observations, rejected } = timed.counts
console.log(`${formatTimes(timed)}; ${rows} rows, ${observations} accepted, ${rejected} rejected`)
rmSync(scratch, { recursive: true, force: true })
reportTargets([atLeast('raw titles imported per second', rows / timed.seconds, 30_000, 0)])

async function ratesFile(): Promise<string> {
  const path = join(scratch, 'rates.csv')
  await Bun.write(path, 'currency,day,usd\nEUR,2024-01-01,1.1\n')
  return path
}
