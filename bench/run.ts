/**
 * `npm run bench [subject…]`: measures speed and memory, reports the targets, and writes bench/README.md and
 * docs/performance.md. Every other file of this folder is a subject; run by itself (`bin/bun bench/reads.ts`), it writes
 * nothing. Without a name all of them run, one after the other.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { RESULTS_FOLDER, writePerformancePage } from './performance-page.ts'

const NOT_SUBJECTS = new Set(['run.ts', 'performance-page.ts'])
/** What people ask about first comes first. */
const FIRST = ['start', 'reads', 'search']

const subjects = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith('.ts') && !NOT_SUBJECTS.has(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort((left, right) => rank(left) - rank(right) || left.localeCompare(right))

function rank(subject: string): number {
  const at = FIRST.indexOf(subject)
  return at < 0 ? FIRST.length : at
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !subjects.includes(name))
if (unknown.length > 0) {
  console.error(`There is no subject ${unknown.join(', ')}. There are: ${subjects.join(', ')}.`)
  process.exit(2)
}

mkdirSync(RESULTS_FOLDER, { recursive: true })
const failed: string[] = []
for (const subject of asked.length > 0 ? asked : subjects) {
  console.log(`\n# ${subject}`)
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${subject}.ts`)], {
    env: { ...process.env, BENCH_SUBJECT: subject, BENCH_RECORD: join(RESULTS_FOLDER, `${subject}.json`) },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) failed.push(subject)
}
await writePerformancePage()
if (failed.length > 0) {
  console.log(`\nNot met: ${failed.join(', ')}.`)
  process.exit(1)
}
