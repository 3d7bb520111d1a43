import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWithFile } from './children.ts'
import { answering, freePort } from './postgres.ts'

const BINARY = Bun.which('pgbouncer') ?? ['/usr/sbin/pgbouncer'].find(existsSync)
if (!BINARY && process.env.CI === 'true')
  throw new Error('pgbouncer is missing, and with CI=true nothing may be left out.')

export const hasPgbouncer = BINARY !== undefined

/** A real PgBouncer in transaction mode before the database that `url` names; far fewer connections than its clients have. */
export async function startPgbouncer(url: string): Promise<{ url: string; stop(): Promise<void> }> {
  if (!BINARY) throw new Error('no pgbouncer is installed')
  const { hostname, port, username, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'di-pgbouncer-'))
  const own = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`)
  // The file that is shipped, with the addresses of this run.
  const ownSettings: Readonly<Record<string, string>> = {
    listen_addr: '127.0.0.1',
    listen_port: String(own),
    auth_type: 'any',
    auth_file: join(folder, 'users.txt'),
    // Far fewer than the clients have.
    default_pool_size: '12',
  }
  const shipped = readFileSync(join(import.meta.dir, '../../deploy/pgbouncer/pgbouncer.ini'), 'utf8')
  const text = shipped
    .replace(/^device_intelligence = .*$/m, `* = host=${hostname} port=${port} user=${username}`)
    .replace(/^(\w+) = .*$/gm, (line, name: string) => (ownSettings[name] ? `${name} = ${ownSettings[name]}` : line))
  writeFileSync(settings, `${text}unix_socket_dir =\nlogfile = ${join(folder, 'log')}\n`)
  const asRoot = process.getuid?.() === 0
  if (asRoot) await Bun.spawn(['chown', '-R', 'postgres', folder]).exited
  const as = asRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  const server = endWithFile(Bun.spawn([...as, BINARY, settings], { stdout: 'ignore', stderr: 'ignore' }))
  const address = `postgres://${username}@127.0.0.1:${own}${pathname}`
  await answering(address)
  return {
    url: address,
    async stop() {
      server.kill('SIGINT')
      await Promise.race([server.exited, Bun.sleep(2_000).then(() => server.kill('SIGKILL'))])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
