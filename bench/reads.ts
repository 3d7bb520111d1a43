/**
 * Keyed reads of the real program against bare servers that send the same bytes. Rounds alternate, and each ratio is
 * taken within its own round, so that whatever else the machine does weighs on both sides.
 * ROUNDS and SECONDS change how long it looks.
 */

import { figureTable } from '../src/text/text-table.ts'
import { load, loadGenerator, median, type Round, residentMb, WARM_UP_SECONDS } from './support/load.ts'
import { bareBun, bareNode } from './support/peers.ts'
import { startForLoad } from './support/program.ts'
import { atLeast, below, judge, type Target } from './support/targets.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SECONDS = Number(process.env.SECONDS ?? 2)
const PATHS = ['/api/devices?limit=20', '/api/variants?limit=20']

const wrk = await loadGenerator()
const program = await startForLoad()
const key = await program.newKey('public')
const targets: Target[] = []

for (const path of PATHS) {
  const answer = await fetch(program.url + path, {
    headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' },
  })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const bun = await bareBun(bytes)
  const node = await bareNode(bytes)
  const ours = { url: program.url + path, pid: program.pid, key }
  const contenders = { ours, 'bare Bun.serve': bun, ...(node ? { 'bare node:http': node } : {}) }
  const rounds: Record<string, Round[]> = {}
  for (const server of Object.values(contenders)) await load(wrk, { ...server, seconds: WARM_UP_SECONDS })
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, server] of Object.entries(contenders)) {
      rounds[name] ??= []
      rounds[name].push(await load(wrk, { ...server, seconds: SECONDS }))
    }
  }
  bun.stop()
  node?.stop()

  console.log(`\nGET ${path}: ${bytes.length} bytes, ${ROUNDS} rounds of ${SECONDS} s, 64 connections`)
  console.log(
    figureTable(
      ['server', 'per second', 'p99 ms', 'CPU µs', 'ours / it', 'spread', 'by CPU'],
      Object.entries(rounds).map(([name, them]) => row(name, rounds.ours ?? [], them)),
    ),
  )
  const mine = rounds.ours ?? []
  targets.push(atLeast(`${path} against bare Bun.serve`, ratio(mine, rounds['bare Bun.serve'] ?? []), 0.8))
  if (rounds['bare node:http'])
    targets.push(atLeast(`${path} against bare node:http`, ratio(mine, rounds['bare node:http']), 1.2))
  targets.push(below(`${path} p99`, median(mine.map(({ p99Ms }) => p99Ms)), 5, 'ms', 2))
  const failures = mine.reduce((sum, one) => sum + one.failures, 0)
  targets.push({ what: `${path} failures`, measured: String(failures), target: '0', met: failures === 0 })
}
const memory = residentMb(program.pid)
targets.push(below('memory after all of it', memory.now, 120, 'MB', 0))
await program.stop()
console.log('')
judge(targets)

function ratios(mine: readonly Round[], theirs: readonly Round[]): number[] {
  return mine.map((round, at) => round.perSecond / (theirs[at]?.perSecond ?? Number.NaN))
}

function ratio(mine: readonly Round[], theirs: readonly Round[]): number {
  return median(ratios(mine, theirs))
}

function row(name: string, mine: readonly Round[], them: readonly Round[]): string[] {
  const all = ratios(mine, them)
  const cpu = median(mine.map((round, at) => (them[at]?.cpuMicros ?? Number.NaN) / round.cpuMicros))
  return [
    name,
    median(them.map(({ perSecond }) => perSecond)).toFixed(0),
    median(them.map(({ p99Ms }) => p99Ms)).toFixed(2),
    median(them.map(({ cpuMicros }) => cpuMicros)).toFixed(1),
    median(all).toFixed(2),
    `${Math.min(...all).toFixed(2)}–${Math.max(...all).toFixed(2)}`,
    cpu.toFixed(2),
  ]
}
