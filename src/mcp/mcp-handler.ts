import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { type McpOptions, mcpServer } from './mcp-server.ts'

/** Handles messages over HTTP, in every revision of the protocol. */
export function mcpHandler(options: McpOptions, onError: (error: Error) => void): McpHttpHandler {
  // There are no changes to subscribe to.
  return createMcpHandler(() => mcpServer(options), { maxSubscriptions: 0, onerror: onError })
}
