/**
 * Compares the bundled catalogue with reference sets beside the checkout and prints what agrees, what does not and what
 * cannot be checked. The sets are not part of the project; without them only the counts are checked.
 */
import { resolve } from 'node:path'
import { bundledDevices, bundledTacs } from '../src/catalog/bundled-catalogue-service.ts'
import { formatNumberTable } from '../src/lib/text-table.ts'
import { checkAndroid } from './catalogue/android.ts'
import { checkApple } from './catalogue/apple.ts'
import { checkPlayConsole, playConsoleIndex } from './catalogue/google-play-console.ts'
import { countCorroboration } from './catalogue/model-numbers.ts'
import { findReferenceFolder, readCatalogueReferences } from './catalogue/reference-data.ts'
import { checkSpecifications, countMemoryPairs } from './catalogue/specifications.ts'
import { evaluateTacMatching } from './catalogue/tac-matching.ts'
import { checkTacs } from './catalogue/tacs.ts'
import { createTally } from './catalogue/tally.ts'

const MIN_AGREEMENT = 0.99
/** The rest is of makers that no set covers: watches, players, phones without Google's services. */
const MIN_CORROBORATION = 0.92
/** Shares of a TAC list's rows that name a bundled device: rows that find a device, and correct ones among those. */
const MIN_MATCHED = 0.85
const MIN_CORRECT_MATCHES = 0.97
const devices = bundledDevices()
const tacs = bundledTacs()
const priced = devices.flatMap((device) => device.variants).filter((variant) => !variant.disabled)

const counts = [
  { what: 'devices', has: devices.length, least: 3250 },
  { what: 'variants', has: devices.flatMap((device) => device.variants).length, least: 20_000 },
  { what: 'variants with a list price', has: priced.length, least: 5300 },
  { what: 'makes', has: new Set(devices.map((device) => device.make)).size, least: 56 },
  { what: 'categories', has: new Set(devices.map((device) => device.category)).size, least: 19 },
  { what: 'TACs', has: new Set(tacs.map(({ tac }) => tac)).size, least: 4000 },
]
for (const { what, has, least } of counts) console.log(`${String(has).padStart(6)} ${what} (at least ${least})`)
const isLarge = counts.every(({ has, least }) => has >= least)

const folder = findReferenceFolder(resolve(import.meta.dir, '..'), process.env.SHARED_DATA)
if (folder === undefined) {
  console.log('\nThe reference sets are not here (SHARED_DATA, ../shared/data): no fact was checked.')
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
  `\nRAM and storage pairs: ${pairs.present} of ${pairs.known} (${share(pairs.present, pairs.known - pairs.present)})`,
)

const grounds = [...countCorroboration(devices, references)].filter(
  ([, { named, sister, none }]) => named + sister + none > 0,
)
const numbers = grounds.reduce((sum, [, { named, sister, none }]) => sum + named + sister + none, 0)
const uncorroborated = grounds.reduce((sum, [, { none }]) => sum + none, 0)
console.log(
  `\n${formatNumberTable(
    ['model numbers of', 'named', 'sister', 'uncorroborated'],
    [
      ...grounds.map(([make, { named, sister, none }]) => [make, named, sister, none]),
      ['all', numbers - uncorroborated, '', uncorroborated],
    ].map((row) => row.map(String)),
  )}`,
)

const tacReport = evaluateTacMatching(devices, tacs, references)
console.log(
  `\n${formatNumberTable(
    ['rows of the Osmocom TAC list', 'name a bundled device', 'tied'],
    [
      ...tacReport.perMake.map(({ make, named, matched }) => [make, named, matched]),
      ['all', tacReport.ofDevices, tacReport.matched],
    ].map((row) => row.map(String)),
  )}`,
)
console.log(
  `${tacReport.matched} of ${tacReport.ofDevices} rows tied (${share(tacReport.matched, tacReport.ofDevices - tacReport.matched)}), ${tacReport.correct} of them right (${share(tacReport.correct, tacReport.wrong.length)}); ` +
    `wrong at a confidence above 80 with all lists imported: ${tacReport.confidentlyWrong.length}; bundled TACs contradicted by another list or by their age: ${tacReport.contradicted.length}`,
)
for (const what of tacReport.wrong) console.log(`  tied, but not by its words: ${what}`)
for (const what of tacReport.confidentlyWrong) console.log(`  sure and wrong: ${what}`)
for (const what of tacReport.contradicted) console.log(`  contradicted: ${what}`)
const tacsHold =
  tacReport.matched >= tacReport.ofDevices * MIN_MATCHED &&
  tacReport.correct >= tacReport.matched * MIN_CORRECT_MATCHES &&
  tacReport.confidentlyWrong.length === 0 &&
  tacReport.contradicted.length === 0

if (disagreed > 0) console.log('\nDisagreements')
for (const row of rows) for (const what of row.disagreed) console.log(`  ${row.kind}: ${what}`)

const isRight = agreed / (agreed + disagreed) >= MIN_AGREEMENT
if (!isRight) console.log(`\nLess than ${MIN_AGREEMENT * 100} % of what can be checked agrees.`)
const isCorroborated = 1 - uncorroborated / numbers >= MIN_CORROBORATION
if (!isCorroborated) console.log(`\nLess than ${MIN_CORROBORATION * 100} % of the model numbers are corroborated.`)
if (!tacsHold) console.log('\nTACs are tied too seldom, to the wrong device, or against another list.')
if (!isLarge) console.log('\nThe catalogue is smaller than promised.')
process.exit(isRight && isCorroborated && tacsHold && isLarge ? 0 : 1)

function share(yes: number, no: number): string {
  return yes + no === 0 ? '-' : `${((100 * yes) / (yes + no)).toFixed(2)} %`
}
