import {
  createMcpHandler,
  type McpHttpHandler,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { CONDITION_GRADES } from '../contract/conditions.ts'
import { DEFECTS } from '../contract/defects.ts'
import { TIER_NAMES, type Tier, tierIncludes } from '../contract/tiers.ts'
import { DomainError } from '../lib/errors.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { FACTORS } from '../risk/risk-factors.ts'
import type { CallApi } from './api-client.ts'
import { appraiseDeviceTool } from './appraisal-tool.ts'
import { historyTools } from './history-tools.ts'
import { checkIdentifierTool } from './identifier-tool.ts'
import { priceTools } from './price-tools.ts'
import { registryTools } from './registry-tools.ts'
import { repairOptionsTool } from './repair-tool.ts'
import { compactJsonSchema, firstSentence, pickDeclared, type Tool, withToolNames } from './tool-definition.ts'
import { watchTools } from './watch-tools.ts'

export type McpOptions = {
  readonly version: string
  /** Tier of the user of the tools. */
  readonly tier: Tier
  readonly callApi: CallApi
}

/** In their usual order of use. */
const TOOLS: readonly Tool[] = [
  ...registryTools,
  ...priceTools,
  repairOptionsTool,
  checkIdentifierTool,
  appraiseDeviceTool,
  ...historyTools,
  ...watchTools,
]

const INSTRUCTIONS = [
  'Identifies used devices and returns prices, repair costs, risk and offers.',
  'Usual order: match_device to identify the device; then price_device, repair_options or check_identifier, or appraise_device for all of them at once. Use price_devices for several devices, create_watch and list_events for later changes.',
  'Amounts are integers in minor units (US cents unless another currency was requested).',
  'Results state their source and confidence. Repeat both to the person: unknown is not clean, an estimate is not observed, sample data is not real.',
].join(' ')

/** Explains the codes in arguments and results to models. */
const REFERENCES = [
  {
    name: 'grades',
    title: 'Condition grades',
    description: 'The four condition grades of prices, best first, with their definitions.',
    content: CONDITION_GRADES,
  },
  {
    name: 'defects',
    title: 'Defects',
    description:
      'Codes for defects in appraise_device, with description, the repairs that fix them, and the remaining grade.',
    content: DEFECTS,
  },
  {
    name: 'factors',
    title: 'Risk factors',
    description: 'All factors of the risk score with their points, worst first.',
    content: FACTORS,
  },
] as const

const referenceUri = (name: string) => `device-intelligence://${name}`

/** Prompt that starts an appraisal in dialogue. */
const appraisePrompt = {
  name: 'appraise_what_i_have',
  title: 'Appraise what I have',
  description: 'Identifies a device in hand, asks for missing facts, and recommends an offer.',
  args: z.object({
    device: z.string().describe('What it is, in your own words: "iphone 13 128 blue, cracked back".'),
    identifier: z.string().optional().describe('IMEI or serial number, if you have it.'),
  }),
  toText({ device, identifier }: { readonly device: string; readonly identifier?: string | undefined }): string {
    return [
      `I have this device: ${device}`,
      identifier ? `Its identifier is ${identifier}.` : 'I have not looked up its IMEI or serial number.',
      '',
      'Appraise it for me:',
      '1. Find out what it is with match_device. If the result is ambiguous, or storage or another attribute that affects the price is missing, ask me before you continue.',
      '2. Determine the condition with me. Read the resource grades and ask what distinguishes the grades; read the resource defects and ask which of them it has. Do not assume a better grade than I described.',
      '3. If I gave an identifier, check it with check_identifier first. If the number was probably mistyped, ask me for it again. If the tool is unavailable to this key, say so and continue without it.',
      '4. Call appraise_device with all known facts.',
      '5. Tell me the decision, the recommended and the highest offer in whole units of the currency, the reasons with the largest effect on the amount, and what is uncertain: the source of the prices, their confidence, and whether anything is simulated.',
      '',
      'Never say that a device is clean unless a source cleared it, and never take an id or an amount from memory.',
    ].join('\n')
  },
}

/** Handles messages over HTTP, in every revision of the protocol. */
export function mcpHandler(options: McpOptions, onError: (error: Error) => void): McpHttpHandler {
  // There are no changes to subscribe to.
  return createMcpHandler(() => mcpServer(options), { maxSubscriptions: 0, onerror: onError })
}

/** The tools, references and the prompt, for one connection or one request. */
export function mcpServer({ version, tier, callApi }: McpOptions): McpServer {
  const server = new McpServer(
    { name: 'device-intelligence', title: 'Device Intelligence', version },
    {
      instructions: INSTRUCTIONS,
      // Every request has its own server, so lists never change during a connection.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
    },
  )
  for (const { tool, input } of listTools()) {
    const isAvailable = tierIncludes(tier, tool.tier)
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: isAvailable ? tool.description : unavailableDescription(tool),
        inputSchema: input,
        annotations: hintsOf(tool),
      },
      (args) => callTool(tool, args, callApi),
    )
  }
  for (const { name, title, description, content } of REFERENCES) {
    const metadata = { title, description, mimeType: 'application/json' }
    server.registerResource(name, referenceUri(name), metadata, ({ href }) => ({
      contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(content) }],
    }))
  }
  const { name, title, description, args: argsSchema, toText } = appraisePrompt
  server.registerPrompt(name, { title, description, argsSchema }, (args) => ({
    messages: [{ role: 'user', content: textContent(toText(args)) }],
  }))
  return server
}

/** Hints about effects, without those that are the default of the protocol. */
const hintsOf = ({ createsRecord, isDestructive = false, isIdempotent = false }: Tool) =>
  createsRecord
    ? { ...(isDestructive ? {} : { destructiveHint: false }), ...(isIdempotent ? { idempotentHint: true } : {}) }
    : { readOnlyHint: true }

const unavailableDescription = ({ tier, description }: Tool) =>
  `UNAVAILABLE with this key: it needs the ${TIER_NAMES[tier]} tier. ${firstSentence(description)}`

/** Advice for models, by error code. */
const ERROR_ADVICE: Readonly<Record<string, string>> = {
  NOT_FOUND: 'Take the id from match_device, search_devices or get_device; do not make one up.',
  FORBIDDEN:
    'Do not try again with this key: tell the person which tier is needed, and continue without it if possible.',
  UNAUTHORIZED: 'Do not try again: tell the person that the key is not valid.',
  VALIDATION_ERROR: 'Correct that argument and call again.',
  LIMIT_REACHED: 'Do not try again: tell the person about the limit.',
  RATE_LIMIT_EXCEEDED: 'Wait that long before the next call.',
  SERVICE_UNAVAILABLE: 'Try again in a few seconds.',
}

async function callTool(tool: Tool, args: unknown, callApi: CallApi) {
  try {
    const parsed = parseOrThrow(tool.input, args, { root: 'arguments' }) as never
    const response = await callApi(tool.toApiCall(parsed))
    if (!response.success) return errorResult(response, tool.notFoundAdvice)
    const summary = tool.summarize(response.data as never, response.meta as never, parsed)
    const result = pickDeclared(tool.output, summary) as Record<string, unknown>
    return { structuredContent: result, content: [textContent(JSON.stringify(result))] }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return errorResult({ code: 'VALIDATION_ERROR', message: error.message })
  }
}

function errorResult({ code, message }: { readonly code: string; readonly message: string }, notFoundAdvice?: string) {
  const advice = (code === 'NOT_FOUND' && notFoundAdvice) || ERROR_ADVICE[code]
  const text = `${code}: ${withToolNames(message)}`
  return { isError: true, content: [textContent(advice ? `${text} ${advice}` : text)] }
}

const textContent = (text: string) => ({ type: 'text' as const, text })

type ListedTool = {
  readonly tool: Tool
  readonly input: StandardSchemaWithJSON
}

let listedTools: readonly ListedTool[] | undefined

/** The tools with the schemas of their arguments; the same for all callers and built once. */
function listTools(): readonly ListedTool[] {
  listedTools ??= TOOLS.map((tool) => ({
    tool,
    input: unvalidatedSchema(compactJsonSchema(tool.input)),
  }))
  return listedTools
}

/**
 * A schema that is listed but does not validate. The contract's schemas validate arguments, with better messages than the
 * library's.
 */
function unvalidatedSchema(json: Record<string, unknown>): StandardSchemaWithJSON {
  const toJson = () => json
  return {
    '~standard': {
      version: 1,
      vendor: 'device-intelligence',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: toJson, output: toJson },
    },
  }
}
