import { figureTable } from '../../src/text/text-table.ts'
import { keepFound, type Target } from './record.ts'

export type { Target } from './record.ts'

export function atLeast(what: string, value: number, least: number, digits = 2): Target {
  return { what, measured: value.toFixed(digits), target: `≥ ${least}`, met: value >= least }
}

export function below(what: string, value: number, most: number, unit: string, digits = 1): Target {
  return { what, measured: `${value.toFixed(digits)} ${unit}`, target: `< ${most} ${unit}`, met: value < most }
}

/** Prints the table and ends the subject: exit code 1 when a promise is not kept. */
export function judge(targets: readonly Target[]): never {
  keepFound(targets)
  console.log(
    figureTable(
      ['what', 'measured', 'target', ''],
      targets.map((one) => [one.what, one.measured, one.target, one.met ? 'met' : 'MISSED']),
    ),
  )
  process.exit(targets.every(({ met }) => met) ? 0 : 1)
}
