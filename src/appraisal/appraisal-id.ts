import { type IdShape, idBound, idMaker, UPPER_DIGITS } from '../id.ts'

const SHAPE: IdShape = { prefix: 'apr', digits: UPPER_DIGITS, timeLength: 10 }

export const appraisalIds = (randomBelow: (limit: number) => number) => idMaker(SHAPE, randomBelow)

/** Below the id of every appraisal made at `epochMs` or later, above those made before. */
export const appraisalIdBound = (epochMs: number) => idBound(SHAPE, epochMs)
