import { remembered } from '../remembered.ts'
import { slug } from './device.ts'

/** Slugs by the hundred thousand: imports and the tables on board name the same words again and again. */
export const slugOf = remembered(50_000, slug)
