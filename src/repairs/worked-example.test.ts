import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledDevices } from '../catalog/bundled-catalogue-service.ts'
import { readConfig } from '../config.ts'
import { loadBundledRepairData } from './bundled-repair-data.ts'
import { faultWeight } from './fault-frequency.ts'
import { labourCost } from './labour-cost.ts'
import type { CostRange } from './repair-fact.ts'
import { parseFactFile } from './repair-fact-file.ts'
import { indexRepairData } from './repair-fact-index.ts'
import { labourRate } from './repair-market.ts'
import { averageRepairCost, dataCompleteness, repairCost, repairRoi } from './repair-metrics.ts'

const text = readFileSync(join(import.meta.dir, '../../docs/repairs.md'), 'utf8')
const example = text.slice(text.indexOf('## Worked example'), text.indexOf('## Importing'))
const device = bundledDevices().find(({ id }) => id === 'apple-iphone-13-pro')
if (!device) throw new Error('the device of the example is not in the catalogue')
const board = loadBundledRepairData()
const { facts, shares } = indexRepairData({ ...board, importedFacts: [], importedFaults: [] })(device, null)
const RATE = labourRate(readConfig({}))
const dollars = (cents: number, digits = 0) => `$${(cents / 100).toFixed(digits)}`

test('the costs and shares of the example are those of the engine', () => {
  const rows = facts.repairs
    .toSorted((a, b) => faultWeight(shares, b.kind) - faultWeight(shares, a.kind))
    .map((repair) => {
      const range = (cost: CostRange | null) => `${dollars(cost?.minCents ?? 0)} – ${dollars(cost?.maxCents ?? 0)}`
      const share = faultWeight(shares, repair.kind).toFixed(3)
      const costs = [repairCost(repair, 0), labourCost(repair, RATE), repairCost(repair, RATE)].map(range)
      return `| ${[repair.name, repair.minutes?.value, ...costs, share].join(' | ')} |`
    })
  expect(rows).toHaveLength(5)
  for (const row of rows) expect(example).toContain(row)
})

test('the reference range of the example follows from launch price, age and shares', () => {
  const list = Math.min(...device.variants.map((variant) => variant.listCents)) / 100
  const years = (Date.parse(board.costs.pricedOn) - Date.parse(device.releasedOn ?? '')) / (365.25 * 86_400_000)
  const family = board.costs.families.find((each) => each.subject === 'apple-iphone')
  const factor = (family?.yearlyFactor ?? 0) ** years
  const [low, high] = family?.parts.screen?.share ?? [0, 0]
  expect(example).toContain(
    `at $${list}, so age ${years.toFixed(2)} and factor ${family?.yearlyFactor} ^ ${years.toFixed(2)}`,
  )
  expect(example).toContain(`${list} × ${low} × ${factor.toFixed(3)} = $${Math.round(list * low * factor)}`)
  expect(example).toContain(`${list} × ${high} = $${Math.round(list * high)}`)
})

test('the average, the return on repair and the completeness of the example are recalculated', () => {
  const average = averageRepairCost(facts.repairs, shares, RATE)
  if (!average) throw new Error('the example has no cost')
  const least = average.minCents
  expect(example).toContain(`from ${dollars(least, 2)} to ${dollars(average.maxCents, 2)}`)
  const [, good = 0, poor = 0] = (/Good at \$(\d+) and Poor at \$(\d+)/.exec(example) ?? []).map(Number)
  const roi = ((good - poor - least / 100) / (least / 100)).toFixed(2)
  const word = repairRoi({ goodCents: good * 100, poorCents: poor * 100 }, average)
  expect(example).toContain(`/ ${(least / 100).toFixed(2)} = ${roi}, \`${word}\``)
  const completeness = dataCompleteness(facts)
  expect(example).toContain(`${completeness / 10} / 10 = ${completeness}`)
})

test('the import accepts the file shown in the documentation', () => {
  const shown = /```json\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  expect(parseFactFile(JSON.parse(shown))).toMatchObject({ problems: [], records: [{}, {}] })
})
