/**
 * Runs every test and ends with the line "N passed, N failed". One PostgreSQL serves the whole run. Where PostgreSQL,
 * Redis or Chromium is not installed, the tests that need it are left out, loudly; with CI=true that is a failure.
 * Words after `npm test --` narrow the run to the files whose path contains one of them.
 */
import { startPostgres } from '../test/support/postgres.ts'

const postgres = await startPostgres()
if (!postgres) {
  if (process.env.CI === 'true') throw new Error('PostgreSQL is missing, and with CI=true nothing may be left out.')
  console.error('No PostgreSQL is installed here, so the suite runs on SQLite only.')
}
const started = performance.now()
const run = Bun.spawn([process.execPath, 'test', '--timeout', '60000', ...process.argv.slice(2)], {
  env: { ...process.env, ...(postgres ? { TEST_DATABASE_URL: postgres.url } : { NO_POSTGRES: '1' }) },
  stdout: 'inherit',
  stderr: 'pipe',
})

// Bun reports on stderr; what is shown is what went wrong and each file's name, not every passed test.
let report = ''
let shown = ''
for await (const chunk of run.stderr.pipeThrough(new TextDecoderStream())) {
  report += chunk
  shown += chunk
  const cut = shown.lastIndexOf('\n') + 1
  process.stderr.write(shown.slice(0, cut).replace(/^\(pass\).*\n/gm, ''))
  shown = shown.slice(cut)
}
process.stderr.write(shown)
const code = await run.exited
await postgres?.stop()

const count = (word: string) => Number([...report.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0)
const skipped = count('skip')
const failed = count('fail') + (code !== 0 && count('fail') === 0 ? 1 : 0)
console.log(`Took ${Math.round((performance.now() - started) / 1000)} s.`)
console.log(`${count('pass')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
process.exit(failed > 0 || (skipped > 0 && process.env.CI === 'true') ? 1 : 0)
