import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWithFile } from './children.ts'
import { freePort } from './postgres.ts'
import { waitUntil } from './wait.ts'

export const NO_REDIS = 'No redis-server is installed here: tests against a real Redis are left out.'

export type TestRedis = {
  readonly url: string
  readonly port: number
  /** Stops responding without closing connections, like a hanging machine. */
  freeze(): void
  thaw(): void
  kill(): Promise<void>
  /** Starts again on the same port, empty. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** A real Redis on a private port with a throw-away folder; undefined where no binary is installed. */
export async function startRedis(more: readonly string[] = [], sentinelFile?: string): Promise<TestRedis | undefined> {
  const binary = Bun.which('redis-server') ?? ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find(existsSync)
  if (!binary) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'di-redis-'))
  const port = await freePort()
  let server: Bun.Subprocess | undefined

  async function start(): Promise<void> {
    const own = ['--save', '', '--appendonly', 'no']
    const settings = [
      ...(sentinelFile ? [sentinelFile, '--sentinel'] : own),
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      ...more,
    ]
    server = endWithFile(Bun.spawn([binary!, ...settings], { stdout: 'ignore', stderr: 'ignore' }))
    await waitUntil(() => answers(port), { describe: `redis-server to answer on port ${port}` })
  }

  async function kill(): Promise<void> {
    server?.kill('SIGKILL')
    await server?.exited
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
    kill,
    start,
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts the sentinel of a primary, which decides which of its replicas takes over. */
export async function startSentinel(name: string, primary: TestRedis): Promise<TestRedis | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'di-sentinel-'))
  const file = join(folder, 'sentinel.conf')
  const settings = [
    `sentinel monitor ${name} 127.0.0.1 ${primary.port} 1`,
    `sentinel down-after-milliseconds ${name} 500`,
    `sentinel failover-timeout ${name} 3000`,
  ]
  writeFileSync(file, `${settings.join('\n')}\n`)
  return startRedis([], file)
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dial(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const end = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.on('data', (bytes) => end(bytes.toString().startsWith('+PONG')))
    socket.on('error', () => end(false))
    socket.setTimeout(500, () => end(false))
  })
}
