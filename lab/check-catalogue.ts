/**
 * Compares the bundled catalogue with reference sets beside the checkout and prints agreements, disagreements and
 * unchecked facts. The sets are not part of the project; without them only the counts are checked.
 */
import { resolve } from 'node:path'
import { bundledDevices, bundledTacs } from '../src/catalog/bundled-catalogue-service.ts'
import { formatNumberTable } from '../src/lib/text-table.ts'
import { checkAndroid } from './catalogue/android.ts'
import { checkApple } from './catalogue/apple.ts'
import { checkPlayConsole, playConsoleIndex } from './catalogue/google-play-console.ts'
import { countCorroboration } from './catalogue/model-numbers.ts'
import { findReferenceFolder, readCatalogueReferences } from './catalogue/reference-data.ts'
import { checkSpecifications, countKnownRecords, countMemoryPairs } from './catalogue/specifications.ts'
import { evaluateTacMatching } from './catalogue/tac-matching.ts'
import { checkTacs } from './catalogue/tacs.ts'
import { createTally } from './catalogue/tally.ts'

const MIN_AGREEMENT = 0.99
/** No set covers the rest: watches, players, phones without Google services. */
const MIN_CORROBORATION = 0.92
/** Shares of a TAC list's rows that name a bundled device: rows that find a device, and correct ones among those. */
const MIN_MATCHED = 0.85
const MIN_CORRECT_MATCHES = 0.97
const devices = bundledDevices()
const tacs = bundledTacs()
const variants = devices.flatMap((device) => device.variants)

const counts = [
  { name: 'devices', count: devices.length, min: 8500 },
  { name: 'variants', count: variants.length, min: 34_000 },
  { name: 'variants with a list price', count: variants.filter(({ listCents }) => listCents > 0).length, min: 5300 },
  { name: 'makes', count: new Set(devices.map((device) => device.make)).size, min: 100 },
  { name: 'categories', count: new Set(devices.map((device) => device.category)).size, min: 19 },
  { name: 'TACs', count: new Set(tacs.map(({ tac }) => tac)).size, min: 4000 },
]
for (const { name, count, min } of counts) console.log(`${String(count).padStart(6)} ${name} (at least ${min})`)
const isLarge = counts.every(({ count, min }) => count >= min)

const folder = findReferenceFolder(resolve(import.meta.dir, '..'), process.env.SHARED_DATA)
if (folder === undefined) {
  console.log('\nSkipped the comparison: no reference sets found in SHARED_DATA or ../shared/data.')
  process.exit(isLarge ? 0 : 1)
}

const references = readCatalogueReferences(folder)
const tally = createTally()
const isApple = (make: string) => make === 'Apple' || make === 'Beats'
checkApple(
  devices.filter((device) => isApple(device.make)),
  references,
  tally,
)
const consoleOf = playConsoleIndex(references)
const android = devices.filter((device) => !isApple(device.make))
checkAndroid(android, references, tally)
checkPlayConsole(android, consoleOf, tally)
checkSpecifications(devices, references, consoleOf, tally)
checkTacs(tacs, devices, references, tally)

const rows = tally.rows()
const agreed = rows.reduce((sum, row) => sum + row.agreed, 0)
const disagreed = rows.reduce((sum, row) => sum + row.disagreed.length, 0)
const unknown = rows.reduce((sum, row) => sum + row.unknown, 0)
const figures = [
  ...rows.map((row) => [
    row.kind,
    row.agreed,
    row.disagreed.length,
    share(row.agreed, row.disagreed.length),
    row.unknown,
  ]),
  ['all', agreed, disagreed, share(agreed, disagreed), unknown],
]
console.log(
  `\n${formatNumberTable(
    ['fact', 'agree', 'disagree', 'share', 'unchecked'],
    figures.map((row) => row.map(String)),
  )}`,
)

const pairs = countMemoryPairs(devices, references)
console.log(
  `\nRAM and storage pairs: ${pairs.present} of ${pairs.total} (${share(pairs.present, pairs.total - pairs.present)})`,
)

const records = countKnownRecords(devices, references)
console.log(
  `Devices of the collection of specifications that are known: ${records.known} of ${records.total} (${share(records.known, records.total - records.known)})`,
)

const corroborations = [...countCorroboration(devices, references)].filter(
  ([, { named, sister, none }]) => named + sister + none > 0,
)
const numbers = corroborations.reduce((sum, [, { named, sister, none }]) => sum + named + sister + none, 0)
const uncorroborated = corroborations.reduce((sum, [, { none }]) => sum + none, 0)
console.log(
  `\n${formatNumberTable(
    ['model numbers of', 'named', 'sister', 'uncorroborated'],
    [
      ...corroborations.map(([make, { named, sister, none }]) => [make, named, sister, none]),
      ['all', numbers - uncorroborated, '', uncorroborated],
    ].map((row) => row.map(String)),
  )}`,
)

const tacReport = evaluateTacMatching(devices, tacs, references)
console.log(
  `\n${formatNumberTable(
    ['rows of the Osmocom TAC list', 'name a bundled device', 'matched'],
    [
      ...tacReport.perMake.map(({ make, named, matched }) => [make, named, matched]),
      ['all', tacReport.ofDevices, tacReport.matched],
    ].map((row) => row.map(String)),
  )}`,
)
console.log(
  `${tacReport.matched} of ${tacReport.ofDevices} rows matched (${share(tacReport.matched, tacReport.ofDevices - tacReport.matched)}), ${tacReport.correct} of them correct (${share(tacReport.correct, tacReport.wrong.length)}); ` +
    `wrong with a confidence above 80 with all lists imported: ${tacReport.confidentlyWrong.length}; bundled TACs contradicted by another list or by their age: ${tacReport.contradicted.length}`,
)
for (const row of tacReport.wrong) console.log(`  wrong: ${row}`)
for (const row of tacReport.confidentlyWrong) console.log(`  wrong with high confidence: ${row}`)
for (const tac of tacReport.contradicted) console.log(`  contradicted: ${tac}`)
const areTacsCorrect =
  tacReport.matched >= tacReport.ofDevices * MIN_MATCHED &&
  tacReport.correct >= tacReport.matched * MIN_CORRECT_MATCHES &&
  tacReport.confidentlyWrong.length === 0 &&
  tacReport.contradicted.length === 0

if (disagreed > 0) console.log('\nDisagreements')
for (const row of rows) for (const label of row.disagreed) console.log(`  ${row.kind}: ${label}`)

const isAccurate = agreed / (agreed + disagreed) >= MIN_AGREEMENT
if (!isAccurate) console.log(`\nLess than ${MIN_AGREEMENT * 100} % of the checked facts agree.`)
const isCorroborated = 1 - uncorroborated / numbers >= MIN_CORROBORATION
if (!isCorroborated) console.log(`\nLess than ${MIN_CORROBORATION * 100} % of the model numbers are corroborated.`)
if (!areTacsCorrect) console.log('\nToo few TACs are matched, or some are matched to the wrong device.')
if (!isLarge) console.log('\nThe catalogue is too small.')
process.exit(isAccurate && isCorroborated && areTacsCorrect && isLarge ? 0 : 1)

function share(yes: number, no: number): string {
  return yes + no === 0 ? '-' : `${((100 * yes) / (yes + no)).toFixed(2)} %`
}
