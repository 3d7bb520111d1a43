import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import type { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { callTool, newClient } from '../support/mcp.ts'
import { filledDataDir, PROGRAM, type RunningProgram, runProgram, startProgram } from '../support/program.ts'

const settings = { DATA_DIR: filledDataDir('small'), SAMPLE_DATA: 'off' }
let program: RunningProgram
let organization: string
let key: string

beforeAll(async () => {
  program = await startProgram(settings)
  organization = (await runProgram(['org', 'create', 'Shop'], settings)).stdout.trim()
  const create = ['key', 'create', '--org', organization, '--tier', 'paid']
  key = (await runProgram(create, settings)).stdout.trim()
})
afterAll(async () => {
  await program.stop()
})

async function connect(args: string[], environment: Record<string, string>): Promise<Client> {
  const client = newClient('auto')
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', ...environment }
  await client.connect(new StdioClientTransport({ command: PROGRAM, args, env, cwd: tmpdir(), stderr: 'ignore' }))
  return client
}

test('over stdin and stdout the tools work on the local database, beside a running service', async () => {
  const client = await connect(['mcp'], settings)
  const { tools } = await client.listTools()
  expect(tools.some(({ description }) => description?.startsWith('UNAVAILABLE'))).toBe(false)
  const { data: match } = await callTool(client, 'match_device', { text: 'iphone 13 128gb midnight' })
  expect(match.variant_id).toBe('apple-iphone-13-128gb-midnight')
  const { data: checked } = await callTool(client, 'check_identifier', { identifier: '01-355400-629701-5' })
  expect(checked).toMatchObject({ blacklist_status: 'unknown' })
  await client.close()
  const history = await runProgram(['export', 'lookups', '--org', organization], settings)
  expect(history.stdout).toContain(checked.lookup_id)
})

test('with --url the tools are those of a remote service, with the tier of the key', async () => {
  const client = await connect(['mcp', '--url', program.url], { DEVICE_INTELLIGENCE_KEY: key })
  const { data } = await callTool(client, 'price_device', { variant_id: 'apple-iphone-13-128gb-midnight' })
  expect(data).toMatchObject({ currency: 'USD', buyback: { source: 'estimate' } })
  const rejected = await callTool(client, 'check_identifier', { identifier: '100000010000023' })
  expect(rejected.text).toMatch(/^FORBIDDEN: .*Enterprise/)
  await client.close()
})

test('an unreachable service is reported', async () => {
  const client = await connect(['mcp', '--url', 'http://127.0.0.1:9'], { DEVICE_INTELLIGENCE_KEY: key })
  const { isError, text } = await callTool(client, 'match_device', { text: 'iphone 13' })
  expect(isError).toBe(true)
  expect(text).toMatch(/^SERVICE_UNAVAILABLE: The service at http:\/\/127\.0\.0\.1:9 cannot be reached/)
  await client.close()
})

test('without a key for --url, and with both modes at once, it does not start', async () => {
  const keyless = await runProgram(['mcp', '--url', program.url], settings)
  expect(keyless.code).toBe(2)
  expect(keyless.stderr).toStartWith(
    `--key or DEVICE_INTELLIGENCE_KEY is missing: an API key of the service at ${program.url}.`,
  )
  const wrong = await runProgram(['mcp', '--url', program.url, '--key', 'mine'], settings)
  expect(wrong).toMatchObject({ code: 1, stderr: `The key is not one of the service at ${program.url}.\n` })
  expect((await runProgram(['mcp', '--url', program.url, '--org', 'org_1'], settings)).code).toBe(2)
})
