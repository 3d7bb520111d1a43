/**
 * `npm run lab -- text evaluate [--ads FILE] [--out FILE]`: the reader on texts that it was not trained on: those of the corpus that
 * are kept aside, and labelled advertisements beside the project. `--worst` prints what it gets wrong.
 */
import { parseArgs } from 'node:util'
import header from '../../data/text/weights.json' with { type: 'json' }
import { DEFECT_COUNT, LABELS } from '../../src/text/labels.ts'
import { calibration } from '../../src/text/network.ts'
import { corpusHash, isHeld, type LabelledText, readCorpus, readTexts } from './corpus.ts'
import {
  calibration as calibrationOf,
  precision,
  type ReadExample,
  readExample,
  recall,
  type Score,
  scoreTexts,
} from './measure.ts'
import { outcomesOf, scoreText } from './scores.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { ads: { type: 'string' }, out: { type: 'string' }, worst: { type: 'boolean', default: false } },
})

const lines: string[] = []
const print = (line = '') => lines.push(line)
const two = (value: number) => value.toFixed(2)
const perHundred = (score: Score) => ((100 * score.falseTexts) / Math.max(1, score.faultless)).toFixed(1)

/** Of each detail how often it is read right, wrongly and not at all; as far as the labels of a text say. */
function printDetails(texts: readonly LabelledText[]) {
  const outcomes = outcomesOf(texts.map(scoreText))
  print('| detail | stated | precision | recall | right / wrong / missed |\n|---|---|---|---|---|')
  LABELS.forEach((label, index) => {
    if (index < 2 * DEFECT_COUNT) return
    const threshold = thresholdOf(label)
    const ofLabel = outcomes.filter((outcome) => outcome.label === index)
    const stated = ofLabel.filter(({ isStated }) => isStated).length
    const read = ofLabel.filter(({ logOdds }) => certaintyOf(logOdds, index) >= threshold)
    const right = read.filter(({ isStated }) => isStated).length
    if (stated + read.length === 0) return
    const [precision, recall] = [right / Math.max(1, read.length), right / Math.max(1, stated)]
    print(
      `| ${label} | ${stated} | ${two(precision)} | ${two(recall)} | ${right} / ${read.length - right} / ${stated - right} |`,
    )
  })
  print()
}

function thresholdOf(label: string): number {
  if (label === 'other_fault') return header.thresholds.otherFault
  return label.startsWith('offer:') ? header.thresholds.offer : header.thresholds.detail
}

const certaintyOf = (logOdds: number, label: number) =>
  1 / (1 + Math.exp(-((calibration.scale[label] as number) * logOdds + (calibration.shift[label] as number))))

const HEAD =
  '| | texts | precision | recall | right / wrong / missed | false in 100 faultless | false total defects | asked |\n|---|---|---|---|---|---|---|---|'
const row = (name: string, score: Score) =>
  `| ${name} | ${score.texts} | ${two(precision(score))} | ${two(recall(score))} | ${score.right} / ${score.wrong} / ${score.missed} | ${perHundred(score)} | ${score.falseTotal} | ${Math.round((100 * score.asked) / Math.max(1, score.texts))} % |`

type GroupOf = (example: LabelledText) => string

function printSet(title: string, read: readonly ReadExample[], ...groupings: readonly GroupOf[]) {
  print(`## ${title}`)
  print()
  print(HEAD)
  const { score, byCode, faults } = scoreTexts(read)
  print(row('all', score))
  for (const groupOf of groupings) {
    const groups = Map.groupBy(read, ({ example }) => groupOf(example))
    for (const [name, members] of [...groups].sort(([a], [b]) => a.localeCompare(b)))
      print(row(name, scoreTexts(members).score))
  }
  print()
  print('| defect | right | wrong | missed |\n|---|---|---|---|')
  const stated = [...byCode].filter(([, each]) => each.right + each.wrong + each.missed > 0)
  for (const [code, each] of stated.sort(([, a], [, b]) => b.right + b.missed - a.right - a.missed))
    print(`| ${code} | ${each.right} | ${each.wrong} | ${each.missed} |`)
  print()
  print('| certainty | statements | right |\n|---|---|---|')
  for (const band of calibrationOf(read, [0, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]))
    if (band.stated > 0) print(`| ${band.from}–${band.to} | ${band.stated} | ${two(band.right / band.stated)} |`)
  print()
  const others = read.filter(({ example }) => !['device', 'unclear'].includes(example.kind))
  if (others.length > 0) {
    const offers = read.filter(({ example }) => example.kind === 'device')
    print(
      `Kind of offer: of ${others.length} texts that offer no single device ${others.filter(({ kind }) => kind !== 'device').length} are recognised, of ${offers.length} offers of a device ${offers.filter(({ kind }) => kind !== 'device').length} are taken for something else.`,
    )
    print()
  }
  if (values.worst) console.error(faults.join('\n'))
}

const languageOf: GroupOf = ({ language }) => language
const sourceOf: GroupOf = ({ line }) => `source ${line.source ?? 'unknown'}`
if (header.corpus !== corpusHash())
  console.error('The weights were learned from another corpus: run "npm run lab -- text train".')
const held = readCorpus().filter(isHeld)
print('# How well texts are read')
print()
print(
  `Measured with \`npm run lab -- text evaluate\` on texts that the networks were not trained on. Weights: ${header.seeds.length} networks, ${header.texts.toLocaleString('en')} texts of the corpus ${header.corpus}. A statement counts from a certainty of ${header.thresholds.states}, of a total defect (no power, water damage, account lock) from ${header.thresholds.statesTotal}; from ${header.thresholds.asks} a person is asked.`,
)
print()
if (values.ads) {
  const ads = readTexts(values.ads).filter((ad) => ad.kind === 'device')
  printSet(
    `Real advertisements in ${new Set(ads.map(({ language }) => language)).size} languages (they chose the thresholds)`,
    ads.map(readExample),
    sourceOf,
    languageOf,
  )
}
printSet(
  `Texts of other writers in ${new Set(held.map(({ language }) => language)).size} languages`,
  held.map(readExample),
  ({ writer }) => `writer ${writer}`,
  languageOf,
)
print('## Details')
print()
printDetails(held)
/** What was written by hand behind the tables stays. */
const BY_HAND = '\n## Learning curve'
if (values.out) {
  const before = (await Bun.file(values.out).exists()) ? await Bun.file(values.out).text() : ''
  const byHand = before.includes(BY_HAND) ? before.slice(before.indexOf(BY_HAND)) : ''
  await Bun.write(values.out, `${lines.join('\n').trimEnd()}\n${byHand}`)
} else console.log(lines.join('\n'))
