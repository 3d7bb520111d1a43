/**
 * `npm run bench [subject…]`: measures speed and memory, reports the targets, and writes bench/README.md. Every other file
 * of this folder is a subject; run by itself (`bin/bun bench/reads.ts`), it writes nothing. Without a name all of them run,
 * one after the other.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { RESULTS_FOLDER, writeResultsPage } from './support/results-page.ts'

const subjects = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()

const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !subjects.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown subject ${unknown.join(', ')}. Subjects: ${subjects.join(', ')}.`)
  process.exit(2)
}

mkdirSync(RESULTS_FOLDER, { recursive: true })
const failed: string[] = []
for (const subject of requested.length > 0 ? requested : subjects) {
  console.log(`\n# ${subject}`)
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${subject}.ts`)], {
    env: { ...process.env, BENCH_SUBJECT: subject, BENCH_RECORD: join(RESULTS_FOLDER, `${subject}.json`) },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) failed.push(subject)
}
await writeResultsPage()
if (failed.length > 0) {
  console.log(`\nTargets missed: ${failed.join(', ')}.`)
  process.exit(1)
}
