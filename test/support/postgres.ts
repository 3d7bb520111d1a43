import { randomInt } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { endWithFile } from './children.ts'
import { waitUntil } from './wait.ts'

/**
 * A real PostgreSQL for the tests: the one `TEST_DATABASE_URL` names, or installed binaries started on a private port
 * with a temporary folder. Undefined if there is neither; the caller reports that those tests are skipped. `own` is for tests
 * that stop or freeze the server: it is never shared.
 */
export async function startPostgres(sharing: 'any' | 'own' = 'any'): Promise<TestPostgres | undefined> {
  const existingUrl = sharing === 'any' ? process.env.TEST_DATABASE_URL : undefined
  if (existingUrl) return serverAt(existingUrl, async () => {})
  const bin = postgresBinaries()
  if (!bin) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'di-postgres-'))
  const port = await freePort()
  const asRoot = process.getuid?.() === 0
  if (asRoot) await run(['chown', 'postgres', folder])
  else chmodSync(folder, 0o700)
  const as = asRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  const data = join(folder, 'data')
  await run([...as, join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8'])
  const settings = ['-c', 'fsync=on', '-c', 'max_connections=200']
  const options = ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1', ...settings]
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server: Bun.Subprocess
  async function start(): Promise<void> {
    server = Bun.spawn([...as, join(bin!, 'postgres'), ...options], { stdout: 'ignore', stderr: 'ignore' })
    if (sharing === 'own') endWithFile(server)
    // The test runner may be killed at any time, so a shell watches it and ends the server when it is gone.
    const watch =
      'while kill -0 "$1" 2>/dev/null; do kill -0 "$2" 2>/dev/null || exit; sleep 1; done; kill -QUIT "$2" 2>/dev/null; rm -rf "$3"'
    Bun.spawn(['sh', '-c', watch, 'watch', String(process.pid), String(server.pid), folder]).unref()
    await answering(url)
  }
  async function halt(): Promise<void> {
    server.kill('SIGINT')
    await server.exited
  }
  await start()
  return {
    ...serverAt(url, async () => {
      await halt()
      rmSync(folder, { recursive: true, force: true })
    }),
    faults: {
      halt,
      start,
      freeze: () => signalAll(server.pid, 'SIGSTOP'),
      thaw: () => signalAll(server.pid, 'SIGCONT'),
    },
  }
}

/** Signals the server and all its backend processes. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  for (const processId of [pid, ...children.map(Number)]) process.kill(processId, signal)
}

export type TestPostgres = {
  readonly url: string
  /** A new database, empty or a copy of the one named; tests never share tables. */
  createDatabase(template?: string): Promise<string>
  /** Fault injection for a private server; absent for the one that `TEST_DATABASE_URL` names. */
  readonly faults?: {
    halt(): Promise<void>
    start(): Promise<void>
    /** Stops responding without closing connections. */
    freeze(): void
    thaw(): void
  }
  stop(): Promise<void>
}

let databaseCount = 0

function serverAt(url: string, stop: () => Promise<void>): TestPostgres {
  return {
    url,
    stop,
    async createDatabase(template) {
      const name = `test_${process.pid}_${Date.now().toString(36)}_${databaseCount++}`
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`create database ${name}${template ? ` template ${template}` : ''}`)
      await client.end()
      const address = new URL(url)
      address.pathname = `/${name}`
      return address.href
    },
  }
}

/** Folder of the installed PostgreSQL programs. */
export function postgresBinaries(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
}

export async function answering(url: string): Promise<void> {
  const connects = async () => {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      return false
    }
  }
  await waitUntil(connects, { describe: `a database that accepts connections at ${url}`, everyMs: 50 })
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${await new Response(child.stderr).text()}`)
}

/**
 * A port below the range from which systems take ports for outgoing connections and for port 0, so that no other test takes
 * it before the caller listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + randomInt(15_000)
    if (await canListen(port)) return port
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.on('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
