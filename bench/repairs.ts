/**
 * GET /api/repairs of the real program against a bare `Bun.serve` that sends the same bytes: `bin/bun bench/repairs.ts`.
 * Needs `wrk` and Linux. Runs alternate, and the time of the processor per request is compared beside the rate: on a machine
 * that others use too, the rate says more about them. Target: at least 0.80.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devicesOnBoard } from '../src/catalog/onboard.ts'
import { readOnBoard } from '../src/repair/board.ts'
import { openKnowledge } from '../src/repair/knowledge.ts'
import { presentRepairs } from '../src/repair/present.ts'
import { freePort } from '../test/support/postgres.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SECONDS = Number(process.env.SECONDS ?? 2)
const CONNECTIONS = 32
const TARGET = 0.8
const PATH = '/api/repairs?device_id=apple-iphone-13-pro'

if (process.argv[2] === 'bare') await serveBare()
else await compare()

async function serveBare(): Promise<void> {
  const bytes = new Uint8Array(await Bun.stdin.arrayBuffer())
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  Bun.serve({ port: Number(process.argv[3]), hostname: '127.0.0.1', fetch: () => new Response(bytes, { headers }) })
  await new Promise(() => {})
}

async function compare(): Promise<void> {
  makingSpeed()
  if (!Bun.which('wrk')) throw new Error('wrk is not installed here; the comparison needs it.')
  const folder = mkdtempSync(join(tmpdir(), 'di-bench-'))
  const ours = await startOurs(folder)
  const bare = await startBare(await (await fetch(ours.url + PATH, { headers: ours.headers })).bytes())
  try {
    await load(ours)
    await load(bare)
    const byRate: number[] = []
    const byProcessor: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [mine, theirs] = [await load(ours), await load(bare)]
      byRate.push(mine.rate / theirs.rate)
      byProcessor.push(theirs.processorUs / mine.processorUs)
      console.log(`ours ${told(mine)}   bare ${told(theirs)}`)
    }
    console.log(`median of ${ROUNDS}, by rate: ${middle(byRate).toFixed(2)} of bare Bun.serve, target ${TARGET}`)
    console.log(`median of ${ROUNDS}, by processor time per request: ${middle(byProcessor).toFixed(2)}`)
    process.exitCode = middle(byRate) >= TARGET ? 0 : 1
  } finally {
    ours.process.kill()
    bare.process.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Server = { process: Bun.Subprocess; url: string; headers: Record<string, string> }

async function startOurs(folder: string): Promise<Server> {
  const port = await freePort()
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: String(port),
    SAMPLE_DATA: 'off',
    LOG_LEVEL: 'error',
    RATE_LIMIT_PAID: '10000000',
  }
  const program = join(import.meta.dir, '../bin/device-intelligence')
  const run = (...args: string[]) =>
    Bun.spawnSync([program, ...args], { env, stderr: 'inherit' })
      .stdout.toString()
      .trim()
  const organization = run('org', 'create', 'Bench')
  const key = run('key', 'create', '--org', organization, '--tier', 'paid')
  const server = Bun.spawn([program, 'serve'], { env, stdout: 'ignore', stderr: 'inherit' })
  const started = { process: server, url: `http://127.0.0.1:${port}`, headers: { Authorization: `Bearer ${key}` } }
  await answering(started)
  return started
}

async function startBare(bytes: Uint8Array): Promise<Server> {
  const port = await freePort()
  const server = Bun.spawn([process.execPath, import.meta.path, 'bare', String(port)], { stdin: bytes })
  const started = { process: server, url: `http://127.0.0.1:${port}`, headers: {} }
  await answering(started)
  return started
}

async function answering({ url, headers }: Server): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(url + PATH, { headers }).catch(() => undefined)
    if (answer?.ok) return
    await Bun.sleep(100)
  }
  throw new Error(`${url} did not answer within thirty seconds.`)
}

type Load = { readonly rate: number; readonly processorUs: number }

async function load({ process: { pid }, url, headers }: Server): Promise<Load> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, ...named, url + PATH]
  const before = processorUs(pid)
  const output = await new Response(Bun.spawn(['wrk', ...args], { stdout: 'pipe' }).stdout).text()
  const spentUs = processorUs(pid) - before
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]
  const requests = /(\d+) requests in/.exec(output)?.[1]
  if (!rate || !requests || /Non-2xx/.test(output)) throw new Error(`wrk said: ${output}`)
  return { rate: Number(rate), processorUs: spentUs / Number(requests) }
}

/** What all threads of a process have used so far; the kernel counts hundredths of a second. */
function processorUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function told({ rate, processorUs }: Load): string {
  return `${Math.round(rate).toLocaleString('en')}/s ${processorUs.toFixed(1)} µs`
}

/** How fast answers are made when nothing is ready: after a change, and for a device nobody asked for yet. */
function makingSpeed(): void {
  const pictureOf = openKnowledge({ ...readOnBoard(), imported: [], faultsImported: [] })
  const devices = devicesOnBoard()
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now()
    for (const device of devices) JSON.stringify(presentRepairs(device, null, pictureOf(device, null), null))
    return (performance.now() - startedAt) / devices.length
  })
  console.log(`making one answer: ${(middle(times) * 1000).toFixed(0)} µs (${devices.length} devices)`)
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
