import { idBound, idMaker, recordIds } from '../id.ts'

const SHAPE = recordIds('apr')

export const appraisalIds = (randomBelow: (limit: number) => number) => idMaker(SHAPE, randomBelow)

/** Below the id of every appraisal made at `epochMs` or later, above those made before. */
export const appraisalIdBound = (epochMs: number) => idBound(SHAPE, epochMs)
