import { appraiseDevice } from './appraisal-tool.ts'
import { checkIdentifier } from './identifier-tool.ts'
import { priceTools } from './price-tools.ts'
import { registryTools } from './registry-tools.ts'
import { repairOptions } from './repair-tool.ts'
import type { Tool } from './tool.ts'

/** What a model can do with the service, in the order it is usually done. */
export const TOOLS: readonly Tool[] = [...registryTools, ...priceTools, repairOptions, checkIdentifier, appraiseDevice]
