import { appraiseDeviceTool } from './appraisal-tool.ts'
import { checkIdentifierTool } from './identifier-tool.ts'
import { priceTools } from './price-tools.ts'
import { registryTools } from './registry-tools.ts'
import { repairOptionsTool } from './repair-tool.ts'
import type { Tool } from './tool-definition.ts'

/** What a model can do with the service, in the order it is usually done. */
export const TOOLS: readonly Tool[] = [
  ...registryTools,
  ...priceTools,
  repairOptionsTool,
  checkIdentifierTool,
  appraiseDeviceTool,
]
