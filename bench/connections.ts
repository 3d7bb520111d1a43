/**
 * One keyed read over 1 to 512 connections, and with one and two worker processes. Two workers share the cores with the
 * load generator, so compare their processor time rather than their rate.
 */
import { readFileSync } from 'node:fs'
import { type LoadRound, load, loadGenerator, median, residentMemoryMb, WARM_UP_SECONDS } from './support/load.ts'
import { startBenchProgram } from './support/program.ts'
import { showTable } from './support/results.ts'
import { atLeast, reportTargets } from './support/targets.ts'

const CONNECTIONS = [1, 8, 64, 256, 512]
const ROUNDS = 3
const SECONDS = 2
const PATH = '/api/variants?limit=20'

const wrk = await loadGenerator()

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

function cells(name: string, rounds: readonly LoadRound[], megabytes: number): string[] {
  const medianOf = (figure: (round: LoadRound) => number, digits: number) => median(rounds.map(figure)).toFixed(digits)
  return [
    name,
    medianOf((round) => round.perSecond, 0),
    medianOf((round) => round.p50Ms, 2),
    medianOf((round) => round.p99Ms, 2),
    medianOf((round) => round.p999Ms, 2),
    medianOf((round) => round.cpuMicros, 1),
    megabytes.toFixed(0),
  ]
}
const HEAD = ['', 'per second', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs', 'MB']

let failures = 0
async function measure(server: { url: string; pid: number | number[]; key: string }, connections: number) {
  const rounds: LoadRound[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await load(wrk, { ...server, seconds: SECONDS, connections }))
  failures += rounds.reduce((sum, round) => sum + round.failures, 0)
  return rounds
}

const program = await startBenchProgram()
const server = { url: program.url + PATH, pid: program.pid, key: await program.newKey('public') }
await load(wrk, { ...server, seconds: WARM_UP_SECONDS })
const rows: string[][] = []
const rates = new Map<number, number>()
for (const connections of CONNECTIONS) {
  const rounds = await measure(server, connections)
  rates.set(connections, median(rounds.map(({ perSecond }) => perSecond)))
  rows.push(cells(`${connections}`, rounds, residentMemoryMb(program.pid).now))
}
await program.stop()
showTable({
  title: `GET ${PATH} by connections, one process`,
  head: ['connections', ...HEAD.slice(1)],
  rows,
  bars: 'per second',
})

const byWorkers: string[][] = []
for (const workers of [1, 2]) {
  const program = await startBenchProgram({ WORKERS: String(workers) }, 'any core')
  const key = await program.newKey('public')
  const pids = [program.pid, ...childrenOf(program.pid)]
  const target = { url: program.url + PATH, pid: pids, key }
  await load(wrk, { ...target, seconds: WARM_UP_SECONDS })
  const rounds = await measure(target, 64)
  byWorkers.push(
    cells(
      `${workers}`,
      rounds,
      pids.reduce((sum, pid) => sum + residentMemoryMb(pid).now, 0),
    ),
  )
  await program.stop()
}
showTable({
  title: `GET ${PATH} by workers, 64 connections`,
  head: ['workers', ...HEAD.slice(1)],
  rows: byWorkers,
  bars: 'per second',
})

reportTargets([
  atLeast('512 connections against 64', (rates.get(512) ?? 0) / (rates.get(64) ?? 1), 0.85),
  { what: 'failures', measured: String(failures), target: '0', met: failures === 0 },
])
