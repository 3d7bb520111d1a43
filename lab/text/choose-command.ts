/**
 * `npm run lab -- text choose --ads FILE`: chooses the thresholds of the weights on labelled advertisements: as many faults as possible
 * with false ones in at most 3 of 100 faultless ads and no false total defect, and questions in at most 15 of 100 ads.
 */
import { parseArgs } from 'node:util'
import header from '../../data/text/weights.json' with { type: 'json' }
import { DEFECT_CODES } from '../../src/contract/defect-catalogue.ts'
import { runToEnd } from '../../src/lib/time-sliced.ts'
import { findClauses } from '../../src/text/clauses.ts'
import { readFacts } from '../../src/text/facts.ts'
import { scoreClauses } from '../../src/text/network.ts'
import { WEAK_BATTERY_PERCENT } from '../../src/text/reader.ts'
import { tokenize } from '../../src/text/text-tokens.ts'
import { type LabelledText, readTexts } from './corpus.ts'
import { saveThresholds } from './pack.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    ads: { type: 'string' },
    false: { type: 'string', default: '3' },
    asked: { type: 'string', default: '15' },
    dry: { type: 'boolean', default: false },
  },
})
if (!values.ads) throw new Error('--ads names the labelled advertisements.')
const TOTAL = ['no_power', 'water_damage', 'activation_locked']

/** For each defect the highest probability of a clause. */
function certainties(text: string): number[] {
  const tokens = tokenize(text.normalize('NFC'))
  const { battery } = readFacts(tokens)
  const { clauses } = runToEnd(scoreClauses(tokens, findClauses(tokens)))
  return DEFECT_CODES.map((code, label) => {
    if (code === 'weak_battery' && battery) return battery.value < WEAK_BATTERY_PERCENT ? 1 : 0
    return Math.max(0, ...clauses.map((score) => 1 / (1 + Math.exp(-(score[label] as number)))))
  })
}

type Ad = { readonly example: LabelledText; readonly certainties: readonly number[] }
const ads: Ad[] = readTexts(values.ads)
  .filter(({ kind }) => kind === 'device')
  .map((example) => ({ example, certainties: certainties(example.text) }))

function outcome(states: number, total: number) {
  let [right, wrong, missed, falseAds, falseTotal, faultless] = [0, 0, 0, 0, 0, 0]
  for (const { example, certainties } of ads) {
    let isWrong = false
    DEFECT_CODES.forEach((code, label) => {
      const isTotal = TOTAL.includes(code)
      const isStated = (certainties[label] as number) >= (isTotal ? Math.max(states, total) : states)
      if (isStated && example.defects.has(code)) right++
      else if (isStated && !example.maybe.has(code)) {
        wrong++
        isWrong = true
        if (isTotal) falseTotal++
      } else if (!isStated && example.defects.has(code)) missed++
    })
    if (example.defects.size === 0) {
      faultless++
      if (isWrong) falseAds++
    }
  }
  return {
    right,
    wrong,
    missed,
    falseShare: (100 * falseAds) / faultless,
    falseTotal,
    recall: right / (right + missed),
    precision: right / (right + wrong),
  }
}

const steps = Array.from({ length: 60 }, (_, i) => 0.4 + i * 0.01)
const statesTotal = steps.find((total) => outcome(0.4, total).falseTotal === 0) ?? 0.99
let states = steps.find((each) => outcome(each, statesTotal).falseShare <= Number(values.false)) ?? 0.99
states = Math.round(states * 100) / 100
const isAsked = ({ certainties }: Ad, asks: number) =>
  DEFECT_CODES.some((code, label) => {
    const limit = TOTAL.includes(code) ? Math.max(states, statesTotal) : states
    return (certainties[label] as number) >= asks && (certainties[label] as number) < limit
  })
const asks =
  Array.from({ length: 80 }, (_, i) => 0.1 + i * 0.01).find(
    (each) => (100 * ads.filter((ad) => isAsked(ad, each)).length) / ads.length <= Number(values.asked),
  ) ?? states
const round = (value: number) => Math.round(value * 100) / 100
const thresholds = {
  ...header.thresholds,
  states,
  statesTotal: round(Math.max(states, statesTotal)),
  asks: round(Math.min(asks, states)),
}
console.log(thresholds, outcome(states, thresholds.statesTotal))
for (const each of [0.4, 0.5, 0.6, 0.7, 0.8, 0.9]) console.log(each, outcome(each, thresholds.statesTotal))
if (!values.dry) saveThresholds(thresholds)
