/**
 * Fits the prior on the real price sets and writes it to src/pricing/model/prior-coefficients.ts; with `--families`, fits the
 * differences of device families and writes family-coefficients.ts. The sets stay outside the project; only the fitted numbers
 * are part of it.
 */
import { resolve } from 'node:path'
import type { PriorCoefficients } from '../src/pricing/model/prior-coefficients.ts'
import { calibrateFamilies } from './pricing/calibrate-families.ts'
import { findDatasetFolder, readLaunches } from './pricing/price-set.ts'
import { fitPrior, INITIAL_PRIOR, type PriorFit, readSets, snapshots } from './pricing/prior-fit.ts'

const ROUNDS = 4

const folder = findDatasetFolder()
if (!folder) {
  console.error('skipped: no price sets found; set SHARED_DATA to the folder that holds prices/')
  process.exit(0)
}
const datasets = await readSets(folder, await readLaunches(folder))
if (process.argv.includes('--families')) {
  await calibrateFamilies(folder, datasets)
  process.exit(0)
}

function fitRepeatedly(without?: Parameters<typeof fitPrior>[1]): PriorFit {
  let coefficients: PriorCoefficients = INITIAL_PRIOR
  let fit: PriorFit | undefined
  for (let round = 0; round < ROUNDS; round += 1) {
    fit = fitPrior(snapshots(datasets, coefficients), without)
    coefficients = fit.coefficients
  }
  return fit as PriorFit
}

const fit = fitRepeatedly()
const percent = (value: number) => (100 * value).toFixed(1)
console.error(`${fit.points} device levels in ${datasets.size} sets`)
console.error(`a device deviates from the curve by ${percent(fit.deviceError)} % (rms)`)
console.error(
  `markets differ by ${percent(fit.levelSpread)} % in level and ${percent(fit.ageSpread)} % per year in slope`,
)

const target = resolve(import.meta.dir, '../src/pricing/model/prior-coefficients.ts')
const source = await Bun.file(target).text()
const head = source.slice(0, source.indexOf('/**\n * Written by'))
const body = JSON.stringify(fit.coefficients, null, 2).replace(/"(\w+)":/g, '$1:')
await Bun.write(
  target,
  `${head}/**
 * Written by \`npm run lab -- calibrate\`: fitted on ${datasets.size} sets of real prices. Do not edit by hand. ${fit.points} device levels;
 * one device misses its market's curve by ${fit.deviceError.toFixed(3)} (rms, ln), markets differ by ${fit.levelSpread.toFixed(3)} in level and ${fit.ageSpread.toFixed(3)}
 * in yearly slope.
 */
export const PRIOR_COEFFICIENTS: PriorCoefficients = ${body}
`,
)
Bun.spawnSync(['npx', 'biome', 'check', '--write', target], { stdio: ['ignore', 'ignore', 'inherit'] })
console.log(`wrote ${target}`)
