import { resolve } from 'node:path'
import type { DepreciationFamily } from '../../src/pricing/model/device-family.ts'
import { PRIOR_COEFFICIENTS } from '../../src/pricing/model/prior-coefficients.ts'
import type { DatasetName } from './datasets.ts'
import {
  type CurveDeviation,
  curveAt,
  curveDeviations,
  errorOf,
  type FamilyError,
  fitCurve,
  fitShifts,
  START_MACBOOK,
  START_SHIFTS,
  shiftError,
} from './family-fit.ts'
import { macbookDepreciation } from './macbook-depreciation.ts'
import type { PriceDataset } from './price-set.ts'
import { snapshots } from './prior-fit.ts'

const OUTPUT_FILE = resolve(import.meta.dir, '../../src/pricing/model/family-coefficients.ts')
/** Families that a fit without their rows predicts better than the start values. The sets contradict each other on the other families. */
const FITTED_FAMILIES = ['mid-range'] as const satisfies DepreciationFamily[]
/** The only set with cheap phones of many makes, so makes are left out in turn instead of sets. */
const MID_RANGE_SET = 'shops_vn_2024'

/**
 * Fits the families that the sets have prices of, prints the error of each on held-out rows beside the error of the start
 * values, and writes `FITTED_FAMILIES`.
 */
export async function calibrateFamilies(folder: string, sets: ReadonlyMap<DatasetName, PriceDataset>): Promise<void> {
  const all = curveDeviations(snapshots(sets, PRIOR_COEFFICIENTS), PRIOR_COEFFICIENTS)
  console.log('| family | left out | devices | error at the start | fitted on the rest |\n|---|---|---|---|---|')
  for (const family of Object.keys(START_SHIFTS) as DepreciationFamily[]) {
    if (family === 'mid-range') continue
    for (const set of new Set(all.filter((row) => row.family === family).map((row) => row.set))) {
      const isHeldOut = (row: CurveDeviation) => row.family === family && row.set === set
      const fitted = fitShifts(
        all.filter((row) => row.set !== set),
        [...FITTED_FAMILIES, family],
      )
      print(family, set, shiftError(all, isHeldOut, START_SHIFTS), shiftError(all, isHeldOut, fitted))
    }
  }
  const midRange = all.filter((row) => row.family === 'mid-range' && row.set === MID_RANGE_SET)
  const fitsWithoutMake = new Map(
    [...new Set(midRange.map((row) => row.make))].map((make) => [
      make,
      fitShifts(
        all.filter((row) => row.family !== 'mid-range' || row.make !== make),
        FITTED_FAMILIES,
      ),
    ]),
  )
  // One error per device, from the fit without its make.
  const heldOutErrors = midRange.map((row) => signedError(all, row, fitsWithoutMake.get(row.make) ?? START_SHIFTS))
  print(
    'mid-range',
    `each of ${fitsWithoutMake.size} makes`,
    shiftError(all, (row) => midRange.includes(row), START_SHIFTS),
    errorOf(heldOutErrors),
  )

  const macbooks = await macbookDepreciation(folder, PRIOR_COEFFICIENTS.askPremium)
  const curveError = (curveFor: (index: number) => readonly number[]) =>
    errorOf(macbooks.map(({ age, share }, index) => curveAt(curveFor(index), age) - share))
  const withoutModel = (index: number) => fitCurve(macbooks.filter((_, other) => other !== index))
  print(
    'macbook',
    'each model',
    curveError(() => START_MACBOOK),
    curveError(withoutModel),
  )

  const fitted = fitShifts(all, FITTED_FAMILIES)
  await Bun.write(
    OUTPUT_FILE,
    `/**
 * Written by \`npm run lab -- calibrate --families\`. Do not edit by hand. Cheap phones: ${midRange.length} models of ${fitsWithoutMake.size} makes in shops of one
 * country, beside the iPhones of the same shops. MacBooks: ${macbooks.length} models in one chain of another country, without tax, as sales.
 */
export const FITTED_SHIFTS = ${JSON.stringify(Object.fromEntries(FITTED_FAMILIES.map((family) => [family, { atLaunch: fitted[family]?.atLaunch, perYear: fitted[family]?.perYear }])))} as const

export const FITTED_SHARES = {
  macbook: [${fitCurve(macbooks).join(', ')}],
} as const
`,
  )
  Bun.spawnSync(['npx', 'biome', 'check', '--write', OUTPUT_FILE], { stdio: ['ignore', 'ignore', 'inherit'] })
  console.error(`wrote ${OUTPUT_FILE}`)
}

const signedError = (all: readonly CurveDeviation[], row: CurveDeviation, shifts: Parameters<typeof shiftError>[2]) =>
  Math.log1p(shiftError(all, (candidate) => candidate === row, shifts).bias)

function print(family: DepreciationFamily, heldOut: string, before: FamilyError, after: FamilyError): void {
  const format = ({ error, bias }: FamilyError) =>
    `${(100 * error).toFixed(1)} (${bias > 0 ? '+' : ''}${(100 * bias).toFixed(1)})`
  console.log(`| ${[family, heldOut, before.devices, format(before), format(after)].join(' | ')} |`)
}
