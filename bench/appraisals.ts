/**
 * Durable appraisals of the real program on SQLite: without an identifier, with one, and in batches. ROUNDS and SECONDS set
 * the number and length of rounds.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDataDir } from '../test/support/program.ts'
import { type LoadRound, load, loadGenerator, median, residentMemoryMb } from './support/load.ts'
import { startBenchProgram } from './support/program.ts'
import { showTable } from './support/results.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 4)
const BATCH_ITEMS = 50

const VARIANTS = [
  'apple-iphone-13-128gb-midnight',
  'apple-iphone-14-128gb-midnight',
  'apple-iphone-15-128gb-black',
  'apple-iphone-12-64gb-black',
]

/** Every fourth device is cracked; grades and variants vary; each has its own reference. */
const ITEM = `
local grades = { 'Excellent', 'Good', 'Fair', 'Poor' }
local variants = { ${VARIANTS.map((id) => `'${id}'`).join(', ')} }
math.randomseed(os.time())
local count = 0
function item(identifier)
  count = count + 1
  local defects = count % 4 == 0 and '["cracked_screen"]' or '[]'
  local identifierField = identifier and string.format(',"identifier":"%d%06d"', 35000000 + math.random(0, 99) * 7, math.random(0, 999999)) or ''
  return string.format('{"variant_id":"%s","condition":"%s","defects":%s,"reference":"R-%d"%s}', variants[count % #variants + 1], grades[count % 4 + 1], defects, count, identifierField)
end
wrk.method = 'POST'
wrk.headers['Content-Type'] = 'application/json'
`

const SCRIPTS = {
  plain: `${ITEM}function request() return wrk.format(nil, nil, nil, item(false)) end\n`,
  identified: `${ITEM}function request() return wrk.format(nil, nil, nil, item(true)) end\n`,
  batch: `${ITEM}function request()
  local items = {}
  for at = 1, ${BATCH_ITEMS} do items[at] = item(false) end
  return wrk.format(nil, nil, nil, '{"items":[' .. table.concat(items, ',') .. ']}')
end\n`,
}

const dataDir = newDataDir()
const wrk = await loadGenerator()
const program = await startBenchProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
const key = await program.newKey('enterprise')
const targets: BenchTarget[] = []
const rows: string[][] = []

async function measure(
  name: string,
  scriptName: keyof typeof SCRIPTS,
  path: string,
  items: number,
  minPerSecond: number,
) {
  const script = join(dataDir, `${scriptName}.lua`)
  writeFileSync(script, SCRIPTS[scriptName])
  const target = { url: `${program.url}${path}`, pid: program.pid, key, script }
  await load(wrk, { ...target, seconds: 3 })
  const rounds: LoadRound[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await load(wrk, { ...target, seconds: SECONDS }))
  const medianOf = (figure: (round: LoadRound) => number) => median(rounds.map(figure))
  const perSecond = medianOf((round) => round.perSecond) * items
  const failures = rounds.reduce((sum, round) => sum + round.failures, 0)
  const p99 = medianOf((round) => round.p99Ms)
  rows.push([
    name,
    perSecond.toFixed(0),
    (Math.max(...rounds.map((round) => round.perSecond)) * items).toFixed(0),
    p99.toFixed(1),
    (medianOf((round) => round.cpuMicros) / items).toFixed(1),
  ])
  targets.push(
    {
      what: `${name}: per second`,
      measured: perSecond.toFixed(0),
      target: `≥ ${minPerSecond}`,
      met: perSecond >= minPerSecond,
    },
    { what: `${name}: failures`, measured: String(failures), target: '0', met: failures === 0 },
  )
  if (items === 1) targets.push(below(`${name}: p99`, p99, 30, 'ms'))
}

await measure('without an identifier', 'plain', '/api/appraisals', 1, 3_000)
await measure('with an identifier', 'identified', '/api/appraisals', 1, 2_000)
await measure('in batches', 'batch', '/api/appraisals/batch', BATCH_ITEMS, 5_000)
const memory = residentMemoryMb(program.pid)
await program.stop()
rmSync(dataDir, { recursive: true, force: true })
showTable({
  title: 'Appraisals over 64 connections, SQLite',
  head: ['appraisals', 'per second', 'best', 'p99 ms', 'CPU µs each'],
  rows,
  bars: 'per second',
})
console.log(`memory ${memory.now.toFixed(0)} MB, at most ${memory.peak.toFixed(0)} MB\n`)
reportTargets(targets)
