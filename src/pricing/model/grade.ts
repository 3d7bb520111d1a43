import { CONDITIONS } from '../../contract/condition-grades.ts'

/**
 * The four grades of the API, best first, below new and sealed goods, which are dearer than any used grade, and beside them
 * what the seller called no more than "used". New and ungraded goods inform the level, but no answer serves them: the
 * document has four grades.
 */
export const MARKET_GRADES = ['New', ...CONDITIONS, 'Ungraded'] as const

/** The rungs of the ladder, best first: `RUNGS` without what stands on none. */
export const RANKED_GRADE_COUNT = MARKET_GRADES.length - 1

export type MarketGrade = (typeof MARKET_GRADES)[number]
