import { idGenerator, idLowerBound, recordIdShape } from '../lib/id.ts'

const SHAPE = recordIdShape('apr')

export const appraisalIdGenerator = (randomBelow: (limit: number) => number) => idGenerator(SHAPE, randomBelow)

/** Below the id of every appraisal made at `epochMs` or later, above those made before. */
export const appraisalIdLowerBound = (epochMs: number) => idLowerBound(SHAPE, epochMs)
