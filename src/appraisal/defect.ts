import type { Device } from '../catalog/device.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import { DEFECTS, type DefectCode } from '../contract/defects.ts'
import { defectsOfKind, deviceKind } from '../contract/device-kinds.ts'
import { invalid } from '../lib/errors.ts'
import { type FaultKind, isFaultKind } from '../repairs/fault-kinds.ts'

export type DefectRule = {
  readonly code: DefectCode
  readonly name: string
  readonly repairs: readonly FaultKind[]
  readonly isGradable: boolean
  readonly bestGrade: Condition | null
  readonly isSellable: boolean
}

const BY_CODE = new Map<DefectCode, DefectRule>(
  DEFECTS.map(({ code, name, repairs, gradable, best_grade, sellable }) => [
    code,
    {
      code,
      name,
      repairs: (repairs as readonly string[]).filter(isFaultKind),
      isGradable: gradable,
      bestGrade: best_grade,
      isSellable: sellable,
    },
  ]),
)

export function defectRules(codes: Iterable<DefectCode>): DefectRule[] {
  return [...codes].flatMap((code) => BY_CODE.get(code) ?? [])
}

function worseGrade(left: Condition, right: Condition): Condition {
  return CONDITIONS.indexOf(left) >= CONDITIONS.indexOf(right) ? left : right
}

/** Best grade possible with these defects; null if the device has no grade. */
export function gradeWithDefects(condition: Condition, defects: readonly DefectRule[]): Condition | null {
  let grade = condition
  for (const { isGradable, bestGrade } of defects) {
    if (!isGradable) return null
    if (bestGrade !== null) grade = worseGrade(grade, bestGrade)
  }
  return grade
}

/** Throws for a defect that the device cannot have, naming those it can. `prefix` names the item of a batch. */
export function checkDefects(
  { defects = [] }: { readonly defects?: readonly DefectCode[] | undefined },
  { device }: { readonly device: Device | null },
  prefix = '',
): void {
  const kind = device && deviceKind(device)
  if (!kind) return
  const possible = defectsOfKind(kind).map(({ code }) => code)
  const index = defects.findIndex((code) => !possible.includes(code))
  if (index < 0) return
  const expected = `a defect that ${device.name} (${kind}) can have: ${possible.join(', ')}`
  throw invalid(`${prefix}defects.${index}`, defects[index], expected)
}
