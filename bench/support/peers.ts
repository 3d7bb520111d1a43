import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinned } from './load.ts'

/** A server that does nothing but send the same bytes: the most its runtime can do. */
export type Peer = { readonly url: string; readonly pid: number; stop(): void }

const BARE_BUN = `
const bytes = new Uint8Array(await Bun.file(process.argv[2]).arrayBuffer())
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response(bytes, { headers: { 'content-type': 'application/json' } }),
})
console.log(server.port)
`

const BARE_NODE = `
const bytes = require('node:fs').readFileSync(process.argv[2])
const server = require('node:http').createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

export const bareBun = (bytes: Uint8Array): Promise<Peer> => start(process.execPath, 'peer.ts', BARE_BUN, bytes)

/** The Node that npm itself runs on; undefined where there is none. */
export async function bareNode(bytes: Uint8Array): Promise<Peer | undefined> {
  const node = Bun.which('node')
  return node ? start(node, 'peer.cjs', BARE_NODE, bytes) : undefined
}

async function start(runtime: string, file: string, source: string, bytes: Uint8Array): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'di-peer-'))
  writeFileSync(join(folder, file), source)
  writeFileSync(join(folder, 'body.json'), bytes)
  const child = Bun.spawn([...pinned('server'), runtime, join(folder, file), join(folder, 'body.json')], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  for await (const chunk of child.stdout) {
    const port = Number(new TextDecoder().decode(chunk))
    return { url: `http://127.0.0.1:${port}/`, pid: child.pid, stop: () => child.kill() }
  }
  throw new Error(`${runtime} did not start`)
}
