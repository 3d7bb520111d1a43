import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { type RunningProgram, runProgram, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

const folder = mkdtempSync(join(tmpdir(), 'di-tls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const TLS_CERT = join(folder, 'cert.pem')
const TLS_KEY = join(folder, 'key.pem')

/** A certificate for a given name, to tell it from others. */
function issue(name: string): void {
  const generated = Bun.spawnSync(
    ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`].concat([
      '-keyout',
      join(folder, `${name}.key`),
      '-out',
      join(folder, `${name}.crt`),
    ]),
  )
  if (generated.exitCode !== 0) throw new Error(generated.stderr.toString())
  copyFileSync(join(folder, `${name}.crt`), TLS_CERT)
  copyFileSync(join(folder, `${name}.key`), TLS_KEY)
}

function presentedName(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

const ask = async (url: string) =>
  (await fetch(`${url}/healthz`, { tls: { rejectUnauthorized: false } } as RequestInit)).status

const RELOADED = 'TLS certificate reloaded'
const NOT_RELOADED = 'cannot reload TLS certificate'
const logged = (program: RunningProgram, message: string) => program.stderr().split(message).length - 1

for (const [name, workers] of [
  ['one process', 1],
  ['several workers', 2],
] as const) {
  test(`${name} serves TLS and reloads a renewed certificate on SIGHUP without losing a request`, async () => {
    issue('first.example')
    const program = await startProgram({ TLS_CERT, TLS_KEY, WORKERS: String(workers) })
    expect(program.url).toStartWith('https://')
    expect(await ask(program.url)).toBe(200)
    expect(await presentedName(program.url)).toBe('first.example')

    issue('second.example')
    const statuses: number[] = []
    let isOver = false
    const requests = (async () => {
      while (!isOver) statuses.push(await ask(program.url))
    })()
    const moreRequests = async () => {
      const before = statuses.length
      await waitUntil(() => statuses.length >= before + 20, { describe: '20 more responses' })
    }
    try {
      await moreRequests()
      program.kill('SIGHUP')
      await waitUntil(() => logged(program, RELOADED) === workers, { describe: 'every worker to log the reload' })
      await moreRequests()
    } finally {
      isOver = true
      await requests
    }
    expect(await presentedName(program.url)).toBe('second.example')
    expect(statuses.filter((status) => status !== 200)).toEqual([])

    // An invalid certificate is logged, and the current one stays.
    writeFileSync(TLS_CERT, 'no certificate')
    program.kill('SIGHUP')
    await waitUntil(() => logged(program, NOT_RELOADED) === workers, { describe: 'every worker to log the failure' })
    expect(await ask(program.url)).toBe(200)
    expect(await presentedName(program.url)).toBe('second.example')
    expect(await program.stop()).toBe(0)
  })
}

test('a certificate without its key or a missing one is reported before anything starts', async () => {
  const half = await runProgram(['serve'], { TLS_CERT })
  expect(half.code).toBe(1)
  expect(half.stderr).toContain('TLS_CERT and TLS_KEY belong together; TLS_KEY is missing')
  const missing = await runProgram(['serve'], { TLS_CERT: '/no/such.pem', TLS_KEY })
  expect(missing.stderr).toContain('TLS_CERT: "/no/such.pem" cannot be read')
})
