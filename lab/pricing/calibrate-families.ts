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
/** Predicted better by a fit that has not seen them. The sets contradict each other on the others, which stay where they are. */
const FITTED_FAMILIES = ['mid-range'] as const satisfies DepreciationFamily[]
/** The only set with cheap phones of many makes: each make is left out in turn, since no second set can be. */
const MID_RANGE_SET = 'shops_vn_2024'

/**
 * Fits the families that the sets have prices of, prints the error of each with what it is judged on left out, beside that of where the
 * fit starts, and writes those that it betters.
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
  const cheap = all.filter((row) => row.family === 'mid-range' && row.set === MID_RANGE_SET)
  const makes = new Map(
    [...new Set(cheap.map((row) => row.make))].map((make) => [
      make,
      fitShifts(
        all.filter((row) => row.family !== 'mid-range' || row.make !== make),
        FITTED_FAMILIES,
      ),
    ]),
  )
  // One distance per device, each by the fit that did not see its make.
  const heldOutErrors = cheap.map((row) => signedError(all, row, makes.get(row.make) ?? START_SHIFTS))
  print(
    'mid-range',
    `each of ${makes.size} makes`,
    shiftError(all, (row) => cheap.includes(row), START_SHIFTS),
    errorOf(heldOutErrors),
  )

  const macbooks = await macbookDepreciation(folder, PRIOR_COEFFICIENTS.askPremium)
  const curveError = (curves: (at: number) => readonly number[]) =>
    errorOf(macbooks.map(({ age, share }, at) => curveAt(curves(at), age) - share))
  const withoutModel = (at: number) => fitCurve(macbooks.filter((_, other) => other !== at))
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
 * Written by \`npm run calibrate -- --families\`. Do not edit by hand. Cheap phones: ${cheap.length} models of ${makes.size} makes in shops of one
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
  Math.log1p(shiftError(all, (one) => one === row, shifts).bias)

function print(family: DepreciationFamily, heldOut: string, before: FamilyError, after: FamilyError): void {
  const show = ({ error, bias }: FamilyError) =>
    `${(100 * error).toFixed(1)} (${bias > 0 ? '+' : ''}${(100 * bias).toFixed(1)})`
  console.log(`| ${[family, heldOut, before.devices, show(before), show(after)].join(' | ')} |`)
}
