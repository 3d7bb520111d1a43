import { mkdtempSync, openSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestPostgres } from '../../test/support/postgres.ts'
import { pinToCore } from './load.ts'

/** Another server that sends the same response body. */
export type Peer = { readonly url: string; readonly pid: number; readonly key: string; stop(): void }

/**
 * The first two only send the body. The others do the complete work of a keyed read (`peers/job.mjs`), each written the way
 * its own documentation shows.
 */
export const PEERS = {
  'bare Bun.serve': { file: 'bare-bun.mjs', runtime: 'bun' },
  'bare node:http': { file: 'bare-node.mjs', runtime: 'node' },
  Elysia: { file: 'elysia.mjs', runtime: 'bun' },
  'Hono, middlewares': { file: 'hono.mjs', runtime: 'bun' },
  'Fastify on Node': { file: 'fastify.mjs', runtime: 'node' },
  'Hono, a query each': { file: 'hono-postgres.mjs', runtime: 'bun' },
} as const

export type PeerName = keyof typeof PEERS

const KEY = 'pk_pub_0123456789abcdefghijABCDEFGHIJ0123456789'

/** Undefined if its runtime is not installed. */
export async function startPeer(
  name: PeerName,
  bytes: Uint8Array,
  postgres: TestPostgres | undefined,
): Promise<Peer | undefined> {
  const { file, runtime } = PEERS[name]
  const executable = runtime === 'bun' ? process.execPath : Bun.which('node')
  const needsPostgres = name === 'Hono, a query each'
  if (!executable || (needsPostgres && !postgres)) return undefined
  const database = needsPostgres ? { DATABASE_URL: await postgres?.createDatabase() } : {}
  const folder = mkdtempSync(join(tmpdir(), 'di-peer-'))
  const body = join(folder, 'body.json')
  writeFileSync(body, bytes)
  const child = Bun.spawn([...pinToCore('server'), executable, join(import.meta.dir, 'peers', file), body, KEY], {
    env: { ...process.env, NODE_ENV: 'production', ...database },
    stdout: 'pipe',
    // Logs to a file, like the measured program.
    stderr: openSync(join(folder, 'peer.log'), 'w'),
  })
  for await (const chunk of child.stdout) {
    const port = Number(new TextDecoder().decode(chunk))
    return { url: `http://127.0.0.1:${port}/`, pid: child.pid, key: KEY, stop: () => child.kill() }
  }
  throw new Error(`${name} did not start; its log is in ${folder}/peer.log`)
}
