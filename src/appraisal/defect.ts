import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import { DEFECTS, type DefectCode } from '../contract/defects.ts'
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
