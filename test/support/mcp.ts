import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** Which revision of the protocol a client speaks: the one with a handshake, or the newest, which it tries first. */
export type Era = 'legacy' | 'auto'

export const newClient = (era: Era) =>
  new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } })

/** The official client on a service's /mcp. */
export async function connectOverHttp(url: string, key: string, era: Era = 'auto'): Promise<Client> {
  const client = newClient(era)
  const headers = { Authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return client
}

export type ToolResult = {
  readonly isError: boolean
  /** The text that a model reads. */
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape of a result depends on the tool
  readonly data: any
}

export async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<ToolResult> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
  const [first] = content as { type: string; text: string }[]
  return { isError: isError === true, text: first?.text ?? '', data: structuredContent }
}
