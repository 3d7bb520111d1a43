import { CONDITIONS } from '../../contract/grades.ts'

/**
 * The four grades of the API, best first, below new and sealed goods, which are dearer than any used grade, and beside them
 * what the seller called no more than "used". New and ungraded goods inform the level, but no answer serves them: the
 * document has four grades.
 */
export const RUNGS = ['New', ...CONDITIONS, 'Ungraded'] as const

/** The rungs of the ladder, best first: `RUNGS` without what stands on none. */
export const LADDER_LENGTH = RUNGS.length - 1

export type Rung = (typeof RUNGS)[number]
