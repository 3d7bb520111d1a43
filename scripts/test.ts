/**
 * Runs every test and ends with the line "N passed, N failed". One PostgreSQL serves the whole run. Where PostgreSQL,
 * Redis or Chromium is not installed, the tests that need it are left out, loudly; with CI=true that is a failure.
 * Words after `npm test --` narrow the run to the files whose path contains one of them.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillStores } from '../test/support/filled-store.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { readReport } from './test-report.ts'

/** More at once would ask one PostgreSQL for more connections than it gives. */
const MOST_WORKERS = 4
const SHOWN_SLOWEST = 5

const postgres = await startPostgres()
if (!postgres) {
  if (process.env.CI === 'true') throw new Error('PostgreSQL is missing, and with CI=true nothing may be left out.')
  console.error('No PostgreSQL is installed here, so the suite runs on SQLite only.')
}
const artifacts = join(import.meta.dir, '../artifacts')
mkdirSync(artifacts, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'di-tests-'))
// Servers that run as users of their own are started in folders inside it.
chmodSync(folder, 0o755)
const reportFile = join(folder, 'report.xml')
const filled = await fillStores(folder, postgres)
const timings = join(artifacts, 'test-timings.json')
// On a fresh clone nothing was timed yet.
if (!existsSync(timings)) copyFileSync(join(import.meta.dir, '../test/slowest.json'), timings)

const started = performance.now()
const run = Bun.spawn(
  [
    process.execPath,
    'test',
    '--timeout=60000',
    // Files side by side: many of them wait for a process to start, a second to pass or a commit to reach the disk. No more
    // than there are cores: beside three, promises about time were broken by the machine instead of the program.
    `--parallel=${Math.min(availableParallelism(), MOST_WORKERS)}`,
    '--no-isolate',
    // What took longest last time is begun first, so that nothing long is left for the end.
    `--timings=${timings}`,
    '--update-timings',
    '--dots',
    '--reporter=junit',
    `--reporter-outfile=${reportFile}`,
    ...process.argv.slice(2),
  ],
  {
    // Whatever the tests leave behind goes with the folder.
    env: {
      ...process.env,
      ...filled,
      TMPDIR: folder,
      ...(postgres ? { TEST_DATABASE_URL: postgres.url } : { NO_POSTGRES: '1' }),
    },
    stdout: 'inherit',
    stderr: 'inherit',
  },
)
const code = await run.exited
await postgres?.stop()

const { passed, failures, files, ...report } = await readReport(reportFile)
// With `-t` the report calls every other test skipped, which nobody needs to be told.
const isByName = process.argv.some((arg) => /^(-t|--test-name-pattern)/.test(arg))
const skipped = isByName ? [] : report.skipped
rmSync(folder, { recursive: true, force: true })
// A file that cannot be read at all is no case of the report; the runner's exit code tells of it.
const failed = failures || (code === 0 ? 0 : 1)

console.log(`Took ${Math.round((performance.now() - started) / 1000)} s. The longest:`)
for (const { file, seconds } of files.slice(0, SHOWN_SLOWEST)) {
  console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`)
}
for (const name of skipped) console.log(`Skipped: ${name}`)
console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`)
process.exit(failed > 0 || (skipped.length > 0 && process.env.CI === 'true') ? 1 : 0)
