import { idGenerator, idLowerBound, recordIdShape } from '../lib/id.ts'

const LOOKUP_ID_SHAPE = recordIdShape('lkp')

export const lookupIdGenerator = (randomBelow: (limit: number) => number) => idGenerator(LOOKUP_ID_SHAPE, randomBelow)

/** Below the id of every lookup made at `epochMs` or later, above all earlier ones. */
export const minLookupIdAt = (epochMs: number) => idLowerBound(LOOKUP_ID_SHAPE, epochMs)
