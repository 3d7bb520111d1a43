import { memoize } from '../lib/memoize.ts'
import { slug } from './device.ts'

/** Imports and the bundled tables repeat the same words hundreds of thousands of times. */
export const memoizedSlug = memoize(50_000, slug)
