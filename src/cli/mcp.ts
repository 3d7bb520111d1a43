import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { openApp } from '../app.ts'
import { baseUrlOf } from '../config.ts'
import { KEY_PREFIXES, TIERS, type Tier } from '../contract/tiers.ts'
import { openLog } from '../lib/log.ts'
import { VERSION } from '../lib/version.ts'
import type { CallApi } from '../mcp/api-client.ts'
import { inProcessApi, localCaller } from '../mcp/in-process-api.ts'
import { mcpServer } from '../mcp/mcp-server.ts'
import { remoteApi } from '../mcp/remote-api-service.ts'
import { type Command, type CommandContext, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { resolveOrganization } from './organization-option.ts'

const USAGE = 'mcp [--org ID] | mcp --url URL'
const KEY_VARIABLE = 'DEVICE_INTELLIGENCE_KEY'

/** What the tools work on, and what ends with the connection. */
type McpBackend = { readonly tier: Tier; readonly callApi: CallApi; close(): Promise<void> }

export const mcp: Command = {
  name: 'mcp',
  usage: '[--org ID] | --url URL',
  help: 'Serve the tools for language models (Model Context Protocol) on stdin and stdout.',
  details: [
    'Without --url the store of this machine is used, with everything the service can do.',
    '--org  whose policy counts and whose history lookups and appraisals are kept in; needed where there are several',
    `--url  address of a running service; the key is read from ${KEY_VARIABLE}, so that it stands in no list of processes`,
  ].join('\n'),
  async run(args, context) {
    const options = { org: { type: 'string' }, url: { type: 'string' } } as const
    const { values } = parseArguments(args, options, { least: 0, most: 0, usage: USAGE })
    if (values.url && values.org) throw new CommandError(`--org or --url, not both. Usage: ${USAGE}`, 2)
    const backend = values.url ? remoteBackend(values.url, context) : await localBackend(values.org, context)
    try {
      await serveOnStdio(backend, context)
    } finally {
      await backend.close()
    }
    return 0
  },
}

/** Answers until whoever started us closes our stdin or tells us to stop. */
async function serveOnStdio({ tier, callApi }: McpBackend, context: CommandContext): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  process.stdin.once('end', resolve).once('close', resolve)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
  const serving = serveStdio(() => mcpServer({ version: VERSION, tier, callApi }), {
    onerror: (error) => context.report(`A message could not be answered: ${error.message}`),
  })
  context.report(`Tools of the ${tier} tier are served on stdin and stdout.`)
  await ended
  await serving.close()
}

function remoteBackend(url: string, { environment }: CommandContext): McpBackend {
  const key = environment[KEY_VARIABLE]?.trim() ?? ''
  const tier = TIERS.find((tier) => key.startsWith(KEY_PREFIXES[tier]))
  if (!tier) throw new CommandError(`${KEY_VARIABLE} must hold a key of the service at ${url}.`)
  if (!URL.canParse(url)) throw new CommandError(`--url must be an address such as https://devices.example.`, 2)
  return { tier, callApi: remoteApi(url.replace(/\/+$/, ''), key, fetch), close: async () => {} }
}

async function localBackend(org: string | undefined, context: CommandContext): Promise<McpBackend> {
  const admitted = localCaller(await resolveOrganization(org, context))
  const app = await openApp(context.config, openLog('error'), context.environment)
  const service = { serve: app.router.fetch, baseUrl: baseUrlOf(context.config) }
  return { tier: admitted.key.tier, callApi: inProcessApi(service, admitted), close: app.close }
}
