import { formatNumberTable } from '../../src/lib/text-table.ts'
import { type BenchTarget, saveResult } from './results.ts'

export type { BenchTarget } from './results.ts'

export function atLeast(what: string, value: number, min: number, digits = 2): BenchTarget {
  return { what, measured: value.toFixed(digits), target: `≥ ${min}`, met: value >= min }
}

export function below(what: string, value: number, max: number, unit: string, digits = 1): BenchTarget {
  return { what, measured: `${value.toFixed(digits)} ${unit}`, target: `< ${max} ${unit}`, met: value < max }
}

/** Prints the table and exits; with code 1 if a target is missed. */
export function reportTargets(targets: readonly BenchTarget[]): never {
  saveResult(targets)
  console.log(
    formatNumberTable(
      ['what', 'measured', 'target', ''],
      targets.map(({ what, measured, target, met }) => [what, measured, target, met ? 'met' : 'MISSED']),
    ),
  )
  process.exit(targets.every(({ met }) => met) ? 0 : 1)
}
