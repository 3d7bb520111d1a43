import { memoize } from '../lib/memoize.ts'
import { slug } from './device.ts'

/** Slugs by the hundred thousand: imports and the tables on board name the same words again and again. */
export const memoizedSlug = memoize(50_000, slug)
