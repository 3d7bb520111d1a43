/**
 * Runs the tests and ends with the line "N passed, N failed": the short suite, with `--long` the long one, with `--all` both.
 * Words narrow the run to the files whose path contains one of them; other options go to `bun test`. One PostgreSQL serves
 * the whole run. Tests that need PostgreSQL, Redis or Chromium are skipped where it is missing; with CI=true that is an error.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillStores } from '../test/support/filled-database.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { RUN_MARKER } from '../test/support/process-markers.ts'
import { buildExecutable } from './executable.ts'
import { generateClients } from './generate-client.ts'
import { endLeftovers } from './test-leftovers.ts'
import { commandFor, readReport, type TestFailure } from './test-report.ts'

/** Tests often wait for processes and disks: more workers than cores keep the cores busy. */
const WORKERS_PER_CORE = 2.5
/** One PostgreSQL serves every worker; more workers would need more connections than it allows. */
const MAX_WORKERS = 6
const SHOWN_SLOWEST = 10
const SHOWN_LINES = 25
const SHARED_MEMORY = '/dev/shm'
const NEEDED_MEMORY = 10 * 1024 ** 3
const ROOT = join(import.meta.dir, '..')
/** Options of `bun test` whose value is the next argument. */
const WITH_VALUE = new Set(['-t', '--test-name-pattern'])

type Suite = 'short' | 'long' | 'all'

let suite: Suite = 'short'
const words: string[] = []
const options: string[] = []
for (const args = process.argv.slice(2); args.length > 0; ) {
  const arg = args.shift() ?? ''
  if (arg === '--long' || arg === '--all') suite = arg === '--long' ? 'long' : 'all'
  else if (WITH_VALUE.has(arg)) options.push(arg, args.shift() ?? '')
  else if (arg.startsWith('-')) options.push(arg)
  else words.push(arg)
}

const isLongFile = (file: string) => file.endsWith('.long.test.ts')
/** Files whose second database belongs to the long suite; see test/support/databases.ts. */
const isSplitFile = (file: string) =>
  file.startsWith('test/') && readFileSync(join(ROOT, file), 'utf8').includes('onDatabaseOfSuite(')

function isSelected(file: string): boolean {
  if (file.includes('node_modules/')) return false
  if (words.length > 0 && !words.some((word) => file.includes(word))) return false
  if (suite === 'short') return !isLongFile(file)
  if (suite === 'long') return isLongFile(file) || isSplitFile(file)
  return true
}

const tests = new Bun.Glob('{src,test,dashboard,client,scripts,bench,lab}/**/*.test.{ts,tsx}')
const selected = (await Array.fromAsync(tests.scan({ cwd: ROOT }))).filter(isSelected).sort()
if (selected.length === 0) {
  console.error(`No test file of the ${suite} suite has a path that contains ${words.join(' or ')}.`)
  process.exit(1)
}

process.env.TMPDIR = fastestFolder()
const folder = mkdtempSync(join(tmpdir(), 'di-tests-'))
// Some tests start servers as other users, in folders inside this one.
chmodSync(folder, 0o755)
const postgres = await startPostgres()
if (!postgres) {
  if (process.env.CI === 'true') throw new Error('PostgreSQL is missing, and with CI=true no test may be skipped.')
  console.error('PostgreSQL is not installed: the tests run on SQLite only.')
}
const artifacts = join(ROOT, 'artifacts')
mkdirSync(artifacts, { recursive: true })
const reportFile = join(folder, 'report.xml')
// The tests of these folders start the program.
const startsProgram = selected.some((file) => /^(test\/(process|faults|attacks|browser)|client)\//.test(file))
const program = join(folder, 'device-intelligence')
const [filled] = await Promise.all([
  fillStores(folder, postgres),
  generateClients(),
  startsProgram && buildExecutable(program),
])
const timings = join(artifacts, 'test-timings.json')
// A fresh clone has no timings of its own yet.
if (!existsSync(timings)) copyFileSync(join(ROOT, 'test/slowest.json'), timings)

const started = performance.now()
const run = Bun.spawn(
  [
    process.execPath,
    'test',
    // Only a hang reaches it, also on a busy machine.
    '--timeout=240000',
    `--parallel=${Math.min(Math.ceil(availableParallelism() * WORKERS_PER_CORE), MAX_WORKERS)}`,
    '--no-isolate',
    // The longest files start first, so that none of them is left for the end.
    `--timings=${timings}`,
    '--update-timings',
    '--dots',
    '--reporter=junit',
    `--reporter-outfile=${reportFile}`,
    ...options,
    ...selected.map((file) => `./${file}`),
  ],
  {
    cwd: ROOT,
    env: {
      ...process.env,
      ...filled,
      ...(suite === 'all' ? {} : { TEST_SUITE: suite }),
      // Files that tests leave behind are deleted with the folder.
      TMPDIR: folder,
      [RUN_MARKER]: folder,
      ...(startsProgram ? { TEST_PROGRAM: program } : {}),
      ...(postgres ? { TEST_DATABASE_URL: postgres.url } : { NO_POSTGRES: '1' }),
    },
    stdout: 'inherit',
    stderr: 'inherit',
  },
)
// An interrupted run cleans up too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.kill(signal))
const code = await run.exited
const leftovers = await endLeftovers(folder)
await postgres?.stop()

const { passed, failures, files, ...report } = await readReport(reportFile)
// With `-t` the report counts every other test as skipped.
const isByName = options.some((option) => /^(-t|--test-name-pattern)/.test(option))
const skipped = isByName ? [] : report.skipped
rmSync(folder, { recursive: true, force: true })
// A file that cannot be loaded is no case of the report; only the exit code shows it.
const failed = (failures.length || (code === 0 ? 0 : 1)) + leftovers.length

console.log(`Took ${Math.round((performance.now() - started) / 1000)} s. The longest files:`)
for (const { file, seconds } of files.slice(0, SHOWN_SLOWEST)) {
  console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`)
}
for (const name of skipped) console.log(`Skipped: ${name}`)
for (const { pid, command } of leftovers) console.log(`Failed: left process ${pid} behind: ${command}`)
for (const failure of failures) console.log(describeFailure(failure))
console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`)
process.exit(failed > 0 || (skipped.length > 0 && process.env.CI === 'true') ? 1 : 0)

/** The databases of the tests flush to disk thousands of times, which takes no time in a folder in memory. */
function fastestFolder(): string {
  if (process.env.TMPDIR || !existsSync(SHARED_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(SHARED_MEMORY)
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .findLast((line) => line.includes(` ${SHARED_MEMORY} `))
  const hasRoom = Math.min(bavail * bsize, freemem()) > NEEDED_MEMORY
  return hasRoom && mount && !mount.includes('noexec') ? SHARED_MEMORY : tmpdir()
}

function describeFailure(failure: TestFailure): string {
  const { file, group, name, message } = failure
  const ofLongSuite = isLongFile(file) || (group.includes('PostgreSQL') && isSplitFile(file))
  const lines = message.trimEnd().split('\n')
  return [
    `Failed: ${[file, group, name].filter(Boolean).join(' > ')}`,
    ...lines.slice(0, SHOWN_LINES).map((line) => `    ${line}`),
    ...(lines.length > SHOWN_LINES ? [`    … ${lines.length - SHOWN_LINES} more lines above`] : []),
    `  Run it alone: ${commandFor(failure, ofLongSuite ? 'long' : 'short')}`,
  ].join('\n')
}
