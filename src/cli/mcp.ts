import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { openApp } from '../app.ts'
import { commandPrincipal } from '../auth/principals.ts'
import { baseUrlOf } from '../config.ts'
import { KEY_PREFIXES, TIERS, type Tier } from '../contract/tiers.ts'
import { openLog } from '../lib/log.ts'
import { VERSION } from '../lib/version.ts'
import type { CallApi } from '../mcp/api-client.ts'
import { inProcessApi } from '../mcp/in-process-api.ts'
import { mcpServer } from '../mcp/mcp-server.ts'
import { remoteApi } from '../mcp/remote-api-service.ts'
import { type CommandContext, command, optional, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { resolveOrganization } from './organization-option.ts'
import { KEY_VARIABLE, URL_VARIABLE } from './remote.ts'

/** The service behind the tools; closed when the connection ends. */
type McpBackend = { readonly tier: Tier; readonly callApi: CallApi; close(): Promise<void> }

export const mcp = command({
  name: 'mcp',
  help: 'Serve tools for language models (Model Context Protocol) on stdin and stdout.',
  options: {
    org: optional(text('ID', 'organization whose policy and history are used; needed if there are several')),
    url: optional(
      text('URL', `URL of a running service; default ${URL_VARIABLE}; its key is read from ${KEY_VARIABLE}`),
    ),
  },
  notes: ['Without --url the database of this machine is used.'],
  async run({ org, url: wanted }, context) {
    const url = wanted ?? context.remote?.url
    if (url && org) throw new CommandError('--org or --url, not both.', 2)
    const backend = url ? remoteBackend(url, context) : await localBackend(org, context)
    try {
      await serveOnStdio(backend, context)
    } finally {
      await backend.close()
    }
  },
})

/** Serves until stdin is closed or a signal arrives. */
async function serveOnStdio({ tier, callApi }: McpBackend, context: CommandContext): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  process.stdin.once('end', resolve).once('close', resolve)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
  const serving = serveStdio(() => mcpServer({ version: VERSION, tier, callApi }), {
    onerror: (error) => context.report(`MCP request failed: ${error.message}`),
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
  const principal = commandPrincipal(context.actor, await resolveOrganization(org, context))
  const app = await openApp(context.config, openLog('error'), context.environment)
  const service = { serve: app.router.fetch, baseUrl: baseUrlOf(context.config) }
  return { tier: principal.tier, callApi: inProcessApi(service, principal), close: app.close }
}
