/**
 * `bin/bun scripts/test-steady.ts N [--busy K] [words]`: runs the short suite, or its files with these words, N times, the last K runs beside two busy loops, and lists
 * every test that ever failed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const BUSY_LOOPS = 2
const BUSY_LOOP = 'while (true) {}'
const LOGS = join(import.meta.dir, '../artifacts/steady')

const { values, positionals } = parseArgs({ options: { busy: { type: 'string' } }, allowPositionals: true })
const [count, ...words] = positionals
const runs = Number(count)
const busyRuns = Number(values.busy ?? 0)
if (!(runs >= 1) || !(busyRuns >= 0 && busyRuns <= runs)) {
  console.error('Usage: bin/bun scripts/test-steady.ts N [--busy K] [words]')
  process.exit(2)
}

mkdirSync(LOGS, { recursive: true })
const failures = new Map<string, number[]>()
const rows: string[] = []
let loops: Bun.Subprocess[] = []
// A loop that outlives an interrupted script would keep a core busy for ever.
process.on('exit', stopLoops)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

for (let run = 1; run <= runs; run++) {
  const isBusy = run > runs - busyRuns
  if (isBusy) loops = Array.from({ length: BUSY_LOOPS }, () => Bun.spawn([process.execPath, '-e', BUSY_LOOP]))
  const started = performance.now()
  const test = Bun.spawn([process.execPath, join(import.meta.dir, 'test.ts'), ...words], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, code] = await Promise.all([
    new Response(test.stdout).text(),
    new Response(test.stderr).text(),
    test.exited,
  ])
  stopLoops()
  const seconds = Math.round((performance.now() - started) / 1000)
  writeFileSync(join(LOGS, `run-${run}.log`), `${errors}\n${output}`)
  for (const [, name] of output.matchAll(/^Failed: (.*)$/gm)) failures.set(name!, [...(failures.get(name!) ?? []), run])
  const result = output.trimEnd().split('\n').at(-1) ?? ''
  const time = `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  rows.push(
    `| ${run} | ${isBusy ? 'two busy loops' : 'idle'} | ${time} | ${code === 0 ? '' : '**failed** '}${result} |`,
  )
  console.log(rows.at(-1))
}

console.log(['', '| run | beside | time | result |', '|---|---|---|---|', ...rows, ''].join('\n'))
for (const [name, failedRuns] of failures) console.log(`Failed in run ${failedRuns.join(', ')}: ${name}`)
const failed = rows.filter((row) => row.includes('**failed**')).length
console.log(`${runs - failed} of ${runs} runs passed; the output of each is in artifacts/steady.`)
process.exit(failed > 0 ? 1 : 0)

function stopLoops(): void {
  for (const loop of loops) loop.kill()
  loops = []
}
