/**
 * `npm run lab -- text choose --ads FILE`: fits the certainties to the texts of the corpus that are kept aside, then chooses thresholds
 * on labelled advertisements: as many faults as possible with false ones in at most 2.5 of 100 faultless ads, and questions in at most
 * 12 of 100 ads. Of total defects none may be false there, and of those in the texts that are kept aside nine of ten are right.
 */
import { parseArgs } from 'node:util'
import { DEFECT_CODES } from '../../src/contract/defect-catalogue.ts'
import { DEFECT_COUNT, FIRST_OFFER, LABEL_INDEX, OTHER_OFFERS } from '../../src/text/labels.ts'
import { WEAK_BATTERY_PERCENT } from '../../src/text/reader.ts'
import { calibrate } from './calibrate.ts'
import { isHeld, isOffer, type LabelledText, readCorpus, readTexts } from './corpus.ts'
import { TOTAL_DEFECTS } from './measure.ts'
import { saveChoice } from './pack.ts'
import { outcomesOf, type ScoredText, scoreText } from './scores.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    ads: { type: 'string' },
    false: { type: 'string', default: '2.5' },
    asked: { type: 'string', default: '12' },
    dry: { type: 'boolean', default: false },
  },
})
if (!values.ads) throw new Error('--ads names the labelled advertisements.')

const held = readCorpus().filter(isHeld).map(scoreText)
const outcomes = outcomesOf(held)
const calibration = calibrate(outcomes)

type Ad = { readonly example: LabelledText; readonly certainties: readonly number[]; readonly otherFault: number }
const certainty = (logOdds: number, label: number) =>
  1 / (1 + Math.exp(-((calibration.scale[label] as number) * logOdds + (calibration.shift[label] as number))))
const OTHER_FAULT = LABEL_INDEX.get('other_fault') as number
const toAd = ({ example, logOdds, battery }: ScoredText): Ad => ({
  example,
  certainties: DEFECT_CODES.map((code, label) =>
    code === 'weak_battery' && battery !== null
      ? Number(battery < WEAK_BATTERY_PERCENT)
      : certainty(logOdds[label] as number, label),
  ),
  otherFault: certainty(logOdds[OTHER_FAULT] as number, OTHER_FAULT),
})
const ads = readTexts(values.ads)
  .filter(({ kind }) => kind === 'device')
  .map((example) => toAd(scoreText(example)))

function outcome(texts: readonly Ad[], states: number, total: number) {
  let [right, wrong, missed, falseAds, falseTotal, faultless] = [0, 0, 0, 0, 0, 0]
  for (const { example, certainties } of texts) {
    let isWrong = false
    DEFECT_CODES.forEach((code, label) => {
      const isTotal = TOTAL_DEFECTS.has(code)
      const isStated = (certainties[label] as number) >= (isTotal ? Math.max(states, total) : states)
      if (isStated && example.defects.has(code)) right++
      else if (isStated && !example.maybe.has(code)) {
        wrong++
        isWrong = true
        if (isTotal) falseTotal++
      } else if (!isStated && example.defects.has(code)) missed++
    })
    if (example.defects.size > 0) continue
    faultless++
    if (isWrong) falseAds++
  }
  const two = (value: number) => Math.round(value * 100) / 100
  return {
    states,
    precision: two(right / (right + wrong)),
    recall: two(right / (right + missed)),
    falseShare: Math.round((1000 * falseAds) / faultless) / 10,
    falseTotal,
    right,
    wrong,
    missed,
  }
}

/** The mean precision over the ranks of the right statements: one number without a threshold. */
function averagePrecision(texts: readonly Ad[]): string {
  const ranked = texts
    .flatMap(({ example, certainties }) =>
      DEFECT_CODES.flatMap((code, label) =>
        example.maybe.has(code)
          ? []
          : [{ certainty: certainties[label] as number, isRight: example.defects.has(code) }],
      ),
    )
    .sort((a, b) => b.certainty - a.certainty)
  let [right, sum] = [0, 0]
  ranked.forEach(({ isRight }, rank) => {
    if (!isRight) return
    right++
    sum += right / (rank + 1)
  })
  return (sum / right).toFixed(4)
}

/** Share of offers of a device that may be taken for something else. */
const MISTAKEN_OFFERS = 0.005

const round = (value: number) => Math.round(value * 100) / 100
const steps = Array.from({ length: 80 }, (_, i) => round(0.2 + i * 0.01))
/** Share of the total defects in the kept texts that have to be right. */
const RIGHT_TOTALS = 0.9
const others = held.filter(({ example }) => isOffer(example)).map(toAd)
function rightTotals(total: number): number {
  const stated = others.flatMap(({ example, certainties }) =>
    DEFECT_CODES.flatMap((code, label) =>
      TOTAL_DEFECTS.has(code) && (certainties[label] as number) >= total && !example.maybe.has(code)
        ? [example.defects.has(code)]
        : [],
    ),
  )
  return stated.filter(Boolean).length / stated.length
}
const statesTotal =
  steps.find((total) => outcome(ads, 0.2, total).falseTotal === 0 && rightTotals(total) >= RIGHT_TOTALS) ?? 0.99
const states = steps.find((each) => outcome(ads, each, statesTotal).falseShare <= Number(values.false)) ?? 0.99
/** Few kept texts state such a fault: from here terse titles ("damaged", "untested") are asked about. */
const otherFault = 0.55
const isAsked = ({ certainties, otherFault: other }: Ad, asks: number) =>
  other >= otherFault ||
  DEFECT_CODES.some((code, label) => {
    const limit = TOTAL_DEFECTS.has(code) ? Math.max(states, statesTotal) : states
    return (certainties[label] as number) >= asks && (certainties[label] as number) < limit
  })
const asks =
  Array.from({ length: 80 }, (_, i) => 0.05 + i * 0.01).find(
    (each) => (100 * ads.filter((ad) => isAsked(ad, each)).length) / ads.length <= Number(values.asked),
  ) ?? states

/** Of a group of labels the lowest certainty from which three of four are right. */
function lowestFor(first: number, last: number): number {
  const stated = outcomes
    .filter(({ label }) => label >= first && label < last)
    .map(({ label, logOdds, isStated }) => ({ certainty: certainty(logOdds, label), isStated }))
  return (
    steps.find((each) => {
      const above = stated.filter((one) => one.certainty >= each)
      return above.filter(({ isStated }) => isStated).length >= 0.75 * above.length
    }) ?? 0.9
  )
}
/** As many other offers as possible, with few offers of a device among them. */
const surestOffer = ({ logOdds }: ScoredText) =>
  Math.max(...OTHER_OFFERS.map((_, o) => certainty(logOdds[FIRST_OFFER + o] as number, FIRST_OFFER + o)))
const ofDevices = held.filter(({ example }) => isOffer(example)).map(surestOffer)
const offer =
  steps.find((each) => ofDevices.filter((one) => one >= each).length <= MISTAKEN_OFFERS * ofDevices.length) ?? 0.9
const thresholds = {
  offer,
  states,
  statesTotal: Math.max(states, statesTotal),
  asks: round(Math.min(asks, states)),
  detail: Math.max(0.4, lowestFor(2 * DEFECT_COUNT, FIRST_OFFER)),
  otherFault,
}
console.log(
  thresholds,
  calibration.scale[0],
  'average precision: ads',
  averagePrecision(ads),
  'kept texts',
  averagePrecision(others),
)
for (const each of [states, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
  console.log(
    'ads',
    JSON.stringify(outcome(ads, each, thresholds.statesTotal)),
    '\n  kept',
    JSON.stringify(outcome(others, each, thresholds.statesTotal)),
  )
if (!values.dry) saveChoice({ calibration, thresholds })
