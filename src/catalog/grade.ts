import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'

/**
 * Grades of working devices, best first: new and sealed devices, which cost more than any used grade, the four grades of the
 * API, and `Ungraded` for a seller who says no more than "used". Prices of new and ungraded devices inform the level; the API
 * serves the four grades only.
 */
export const MARKET_GRADES = ['New', ...CONDITIONS, 'Ungraded'] as const

/** `MARKET_GRADES` without `Ungraded`, which has no rank. */
export const RANKED_GRADE_COUNT = MARKET_GRADES.length - 1

export type MarketGrade = (typeof MARKET_GRADES)[number]

/** The condition whose price a grade is compared with: Good for ungraded devices, none for new ones. */
export const quotedCondition = (grade: MarketGrade): Condition | undefined =>
  grade === 'Ungraded' ? 'Good' : CONDITIONS.find((condition) => condition === grade)

/**
 * States of defective devices, stored where the grade is stored. Their prices never enter the estimates of working grades:
 * `damaged` still works but has more than wear, `broken` powers on or is sold for parts, `dead` does not power on.
 */
export const DEFECT_GRADES = ['damaged', 'broken', 'dead'] as const

export type DefectGrade = (typeof DEFECT_GRADES)[number]

export const isDefectGrade = (grade: string): grade is DefectGrade =>
  (DEFECT_GRADES as readonly string[]).includes(grade)

/** What a condition word says; `locked`: locked to an account or blacklisted, so that no buyer can use the device. */
export type ConditionClass = MarketGrade | DefectGrade | 'locked'
