import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { type McpOptions, mcpServer } from './mcp-server.ts'

/** Answers messages over HTTP, whichever revision of the protocol they are of. */
export function mcpHandler(options: McpOptions, onError: (error: Error) => void): McpHttpHandler {
  // Nothing that could be listened to ever changes.
  return createMcpHandler(() => mcpServer(options), { maxSubscriptions: 0, onerror: onError })
}
