import { CONDITIONS } from '../../contract/grades.ts'

/**
 * The four grades of the API, best first, below new and sealed goods, which are dearer than any used grade. Those are
 * read, and inform the others through the ladder, but no answer serves them: the document has four grades.
 */
export const RUNGS = ['New', ...CONDITIONS] as const

export type Rung = (typeof RUNGS)[number]
