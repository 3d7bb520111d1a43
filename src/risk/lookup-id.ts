import { type IdShape, idBound, idMaker, UPPER_DIGITS } from '../id.ts'

const SHAPE: IdShape = { prefix: 'lkp', digits: UPPER_DIGITS, timeLength: 10 }

export const lookupIds = (randomBelow: (limit: number) => number) => idMaker(SHAPE, randomBelow)

/** Below the id of every lookup made at `epochMs` or later, above those made before. */
export const lookupIdBound = (epochMs: number) => idBound(SHAPE, epochMs)
