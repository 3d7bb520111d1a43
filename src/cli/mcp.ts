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
import { findRemoteTarget, KEY_HELP, type RemoteTarget, URL_HELP } from './remote-target.ts'

/** The service behind the tools; closed when the connection ends. */
type McpBackend = { readonly tier: Tier; readonly callApi: CallApi; close(): Promise<void> }

export const mcp = command({
  name: 'mcp',
  help: 'Serve tools for language models (Model Context Protocol) on stdin and stdout.',
  options: {
    org: optional(text('ID', 'organization whose policy and history are used; needed if there are several')),
    url: optional(text('URL', URL_HELP)),
    key: optional(text('KEY', KEY_HELP)),
  },
  notes: ['Without --url the database of this machine is used.'],
  async run({ org, url, key }, context) {
    const target = findRemoteTarget({ url, key }, context.environment)
    if (target && org) throw new CommandError('--org or --url, not both.', 2)
    const backend = target ? remoteBackend(target) : await localBackend(org, context)
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

function remoteBackend({ url, key }: RemoteTarget): McpBackend {
  const tier = TIERS.find((candidate) => key.startsWith(KEY_PREFIXES[candidate]))
  if (!tier) throw new CommandError(`The key is not one of the service at ${url}.`)
  return { tier, callApi: remoteApi(url, key, fetch), close: async () => {} }
}

async function localBackend(org: string | undefined, context: CommandContext): Promise<McpBackend> {
  const principal = commandPrincipal(context.actor, await resolveOrganization(org, context))
  const app = await openApp(context.config, openLog('error'), context.environment)
  const service = { serve: app.router.fetch, baseUrl: baseUrlOf(context.config) }
  return { tier: principal.tier, callApi: inProcessApi(service, principal), close: app.close }
}
