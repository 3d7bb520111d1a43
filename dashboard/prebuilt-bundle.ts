import type { Bundle } from './bundle.ts'

/** The build of the executable puts the finished bundle here. */
export const prebuiltBundle: Bundle | undefined = undefined
