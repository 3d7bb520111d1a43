import { appraiseDeviceTool } from './appraisal-tool.ts'
import { historyTools } from './history-tools.ts'
import { checkIdentifierTool } from './identifier-tool.ts'
import { priceTools } from './price-tools.ts'
import { registryTools } from './registry-tools.ts'
import { repairOptionsTool } from './repair-tool.ts'
import type { Tool } from './tool-definition.ts'
import { watchTools } from './watch-tools.ts'

/** The tools, in their usual order of use. */
export const TOOLS: readonly Tool[] = [
  ...registryTools,
  ...priceTools,
  repairOptionsTool,
  checkIdentifierTool,
  appraiseDeviceTool,
  ...historyTools,
  ...watchTools,
]
