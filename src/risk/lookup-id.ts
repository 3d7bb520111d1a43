import { idBound, idMaker, recordIds } from '../id.ts'

const SHAPE = recordIds('lkp')

export const lookupIds = (randomBelow: (limit: number) => number) => idMaker(SHAPE, randomBelow)

/** Below the id of every lookup made at `epochMs` or later, above those made before. */
export const lookupIdBound = (epochMs: number) => idBound(SHAPE, epochMs)
