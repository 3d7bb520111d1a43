import { startPostgres } from '../../test/support/postgres.ts'
import { type LoadRound, load, loadGenerator, median, WARM_UP_SECONDS } from './load.ts'
import { PEERS, type PeerName, startPeer } from './peers.ts'
import { showTable } from './results.ts'
import { atLeast, type BenchTarget, below } from './targets.ts'

/** Required rate, as a share of the peer's. */
export type PeerTargets = Readonly<Partial<Record<PeerName, number>>>

/** Requirements for every keyed read; higher for long responses, where the bytes themselves dominate. */
export const PEER_TARGETS: PeerTargets = {
  'bare Bun.serve': 0.55,
  'bare node:http': 1.0,
  Elysia: 0.85,
  'Hono, middlewares': 1.1,
  'Fastify on Node': 2.5,
  'Hono, a query each': 8,
}

/**
 * One keyed read of the real program beside peers that send the same bytes. Rounds alternate, and each ratio is taken
 * within its own round, so that other load on the machine affects both sides.
 */
export async function compareWithPeers(
  program: { readonly url: string; readonly pid: number },
  key: string,
  path: string,
  { owed, rounds: count, seconds }: { owed: PeerTargets; rounds: number; seconds: number },
): Promise<BenchTarget[]> {
  const wrk = await loadGenerator()
  const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' }
  const response = await fetch(program.url + path, { headers })
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  const bytes = await response.bytes()
  const postgres = owed['Hono, a query each'] === undefined ? undefined : await startPostgres()
  const contenders = new Map([['ours', { url: program.url + path, pid: program.pid, key, stop() {} }]])
  for (const name of Object.keys(PEERS) as PeerName[]) {
    const peer = owed[name] === undefined ? undefined : await startPeer(name, bytes, postgres)
    if (peer) contenders.set(name, peer)
  }
  for (const server of contenders.values()) await load(wrk, { ...server, seconds: WARM_UP_SECONDS })
  const rounds = new Map<string, LoadRound[]>([...contenders.keys()].map((name) => [name, []]))
  for (let round = 0; round < count; round++) {
    for (const [name, server] of contenders) rounds.get(name)?.push(await load(wrk, { ...server, seconds }))
  }
  for (const { stop } of contenders.values()) stop()
  await postgres?.stop()

  const mine = rounds.get('ours') ?? []
  showTable({
    title: `GET ${path}: ${bytes.length} bytes, ${count} rounds of ${seconds} s, 64 connections`,
    head: ['server', 'per second', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs', 'ours / it', 'spread', 'by CPU'],
    rows: [...rounds].map(([name, them]) => row(name, mine, them)),
    bars: 'per second',
  })
  const failures = mine.reduce((sum, one) => sum + one.failures, 0)
  return [
    ...Object.entries(owed)
      .filter(([name]) => rounds.has(name))
      .map(([name, least]) => atLeast(`${path} against ${name}`, median(ratios(mine, rounds.get(name) ?? [])), least)),
    below(`${path} p99`, median(mine.map(({ p99Ms }) => p99Ms)), 10, 'ms', 2),
    { what: `${path} failures`, measured: String(failures), target: '0', met: failures === 0 },
  ]
}

function ratios(mine: readonly LoadRound[], theirs: readonly LoadRound[]): number[] {
  return mine.map((round, at) => round.perSecond / (theirs[at]?.perSecond ?? Number.NaN))
}

function row(name: string, mine: readonly LoadRound[], them: readonly LoadRound[]): string[] {
  const all = ratios(mine, them)
  const cpu = median(mine.map((round, at) => (them[at]?.cpuMicros ?? Number.NaN) / round.cpuMicros))
  return [
    name,
    median(them.map(({ perSecond }) => perSecond)).toFixed(0),
    median(them.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(them.map(({ p99Ms }) => p99Ms)).toFixed(2),
    median(them.map(({ p999Ms }) => p999Ms)).toFixed(2),
    median(them.map(({ cpuMicros }) => cpuMicros)).toFixed(1),
    median(all).toFixed(2),
    `${Math.min(...all).toFixed(2)}–${Math.max(...all).toFixed(2)}`,
    cpu.toFixed(2),
  ]
}
