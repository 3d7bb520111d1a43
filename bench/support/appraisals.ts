import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDataDir } from '../../test/support/program.ts'
import { type LoadRound, load, loadGenerator, median } from './load.ts'
import { startBenchProgram } from './program.ts'
import { showTable } from './results.ts'
import { atLeast, type BenchTarget, below } from './targets.ts'

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

type Measurement = {
  readonly name: string
  readonly script: keyof typeof SCRIPTS
  readonly path: string
  readonly items: number
  readonly minPerSecond: number
}

const MEASUREMENTS: readonly Measurement[] = [
  { name: 'without an identifier', script: 'plain', path: '/api/appraisals', items: 1, minPerSecond: 3_000 },
  { name: 'with an identifier', script: 'identified', path: '/api/appraisals', items: 1, minPerSecond: 2_000 },
  { name: 'in batches', script: 'batch', path: '/api/appraisals/batch', items: BATCH_ITEMS, minPerSecond: 5_000 },
]

/** Durable appraisals of the real program on SQLite: without an identifier, with one, and in batches. */
export async function measureAppraisals(rounds: number, seconds: number): Promise<BenchTarget[]> {
  const dataDir = newDataDir()
  const wrk = await loadGenerator()
  const program = await startBenchProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  const key = await program.newKey('enterprise')
  const targets: BenchTarget[] = []
  const rows: string[][] = []
  for (const { name, script: scriptName, path, items, minPerSecond } of MEASUREMENTS) {
    const script = join(dataDir, `${scriptName}.lua`)
    writeFileSync(script, SCRIPTS[scriptName])
    const target = { url: `${program.url}${path}`, pid: program.pid, key, script }
    await load(wrk, { ...target, seconds: 3 })
    const measured: LoadRound[] = []
    for (let round = 0; round < rounds; round++) measured.push(await load(wrk, { ...target, seconds }))
    const medianOf = (figure: (round: LoadRound) => number) => median(measured.map(figure))
    const perSecond = medianOf((round) => round.perSecond) * items
    const failures = measured.reduce((sum, round) => sum + round.failures, 0)
    const p99 = medianOf((round) => round.p99Ms)
    rows.push([
      name,
      perSecond.toFixed(0),
      (Math.max(...measured.map((round) => round.perSecond)) * items).toFixed(0),
      p99.toFixed(1),
      (medianOf((round) => round.cpuMicros) / items).toFixed(1),
    ])
    targets.push(
      atLeast(`appraisals ${name}: per second`, perSecond, minPerSecond, 0),
      below(`appraisals ${name}: failures`, failures, 1, '', 0),
    )
    if (items === 1) targets.push(below(`appraisals ${name}: p99`, p99, 30, 'ms'))
  }
  await program.stop()
  rmSync(dataDir, { recursive: true, force: true })
  showTable({
    title: 'Appraisals over 64 connections, SQLite',
    head: ['appraisals', 'per second', 'best', 'p99 ms', 'CPU µs each'],
    rows,
    bars: 'per second',
  })
  return targets
}
