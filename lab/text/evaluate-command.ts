/**
 * `npm run lab -- text evaluate [--ads FILE] [--out FILE]`: the reader on texts that it was not trained on: those of the corpus that
 * are kept aside, and labelled advertisements beside the project. `--worst` prints what it gets wrong.
 */
import { parseArgs } from 'node:util'
import header from '../../data/text/weights.json' with { type: 'json' }
import { corpusHash, HELD_WRITERS, type LabelledText, readCorpus, readTexts } from './corpus.ts'
import { calibration, precision, type ReadExample, readExample, recall, type Score, scoreTexts } from './measure.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { ads: { type: 'string' }, out: { type: 'string' }, worst: { type: 'boolean', default: false } },
})

const lines: string[] = []
const print = (line = '') => lines.push(line)
const two = (value: number) => value.toFixed(2)
const perHundred = (score: Score) => ((100 * score.falseTexts) / Math.max(1, score.faultless)).toFixed(1)

const HEAD =
  '| | texts | precision | recall | right / wrong / missed | false in 100 faultless | false total defects | asked |\n|---|---|---|---|---|---|---|---|'
const row = (name: string, score: Score) =>
  `| ${name} | ${score.texts} | ${two(precision(score))} | ${two(recall(score))} | ${score.right} / ${score.wrong} / ${score.missed} | ${perHundred(score)} | ${score.falseTotal} | ${Math.round((100 * score.asked) / Math.max(1, score.texts))} % |`

function printSet(title: string, read: readonly ReadExample[], groupOf: (example: LabelledText) => string) {
  print(`## ${title}`)
  print()
  print(HEAD)
  const { score, byCode, faults } = scoreTexts(read)
  print(row('all', score))
  const groups = Map.groupBy(read, ({ example }) => groupOf(example))
  for (const [name, members] of [...groups].sort(([a], [b]) => a.localeCompare(b)))
    print(row(name, scoreTexts(members).score))
  print()
  print('| defect | right | wrong | missed |\n|---|---|---|---|')
  const stated = [...byCode].filter(([, each]) => each.right + each.wrong + each.missed > 0)
  for (const [code, each] of stated.sort(([, a], [, b]) => b.right + b.missed - a.right - a.missed))
    print(`| ${code} | ${each.right} | ${each.wrong} | ${each.missed} |`)
  print()
  print('| certainty | statements | right |\n|---|---|---|')
  for (const band of calibration(read, [0, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]))
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

if (header.corpus !== corpusHash())
  console.error('The weights were learned from another corpus: run "npm run lab -- text train".')
const held = readCorpus().filter(({ writer }) => HELD_WRITERS.has(writer))
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
    ({ language }) => language,
  )
}
printSet(
  `Texts of other writers in ${new Set(held.map(({ language }) => language)).size} languages`,
  held.map(readExample),
  ({ language }) => language,
)
if (values.out) await Bun.write(values.out, `${lines.join('\n').trimEnd()}\n`)
else console.log(lines.join('\n'))
