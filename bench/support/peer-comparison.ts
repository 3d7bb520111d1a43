import { startPostgres } from '../../test/support/postgres.ts'
import { type LoadRound, load, loadGenerator, median, WARM_UP_SECONDS } from './load.ts'
import { PEERS, type PeerName, startPeer } from './peers.ts'
import { showTable } from './results.ts'
import { seededRandom } from './synthetic-registry.ts'
import { atLeast, type BenchTarget, below } from './targets.ts'

/** Required rate of a keyed read, as a share of the peer's. The other peers are measured for comparison only. */
const REQUIRED_RATIOS: Readonly<Partial<Record<PeerName, number>>> = { 'Hono, middlewares': 1.0, Elysia: 0.85 }
/** The longest p99, as a multiple of this peer's. */
const LATENCY_PEER: PeerName = 'Hono, middlewares'
const MAX_LATENCY_RATIO = 1.3
/** A server that was just under load still collects garbage and closes connections, on the core of the next one. */
const SETTLE_MS = 500

/**
 * Compares one keyed read of the real program with peers that send the same body. Each ratio is taken within one round, so
 * that other load on the machine affects both sides; the order changes from round to round, so that no server always follows
 * the same one.
 */
export async function compareWithPeers(
  program: { readonly url: string; readonly pid: number },
  key: string,
  path: string,
  { rounds: count, seconds }: { rounds: number; seconds: number },
): Promise<BenchTarget[]> {
  const wrk = await loadGenerator()
  const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' }
  const response = await fetch(program.url + path, { headers })
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
  const bytes = await response.bytes()
  const postgres = await startPostgres()
  const servers = new Map([['ours', { url: program.url + path, pid: program.pid, key, stop() {} }]])
  for (const name of Object.keys(PEERS) as PeerName[]) {
    const peer = await startPeer(name, bytes, postgres)
    if (peer) servers.set(name, peer)
  }
  for (const server of servers.values()) await load(wrk, { ...server, seconds: WARM_UP_SECONDS })
  const rounds = new Map<string, LoadRound[]>([...servers.keys()].map((name) => [name, []]))
  const random = seededRandom(7)
  for (let round = 0; round < count; round++) {
    for (const [name, server] of inRandomOrder([...servers], random)) {
      await Bun.sleep(SETTLE_MS)
      rounds.get(name)?.push(await load(wrk, { ...server, seconds }))
    }
  }
  for (const { stop } of servers.values()) stop()
  await postgres?.stop()

  const ownRounds = rounds.get('ours') ?? []
  showTable({
    title: `GET ${path}: ${bytes.length} bytes, ${count} rounds of ${seconds} s, 64 connections`,
    head: ['server', 'per second', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs', 'ours / it', 'spread', 'by CPU'],
    rows: [...rounds].map(([name, serverRounds]) => row(name, ownRounds, serverRounds)),
    bars: 'per second',
  })
  const failures = ownRounds.reduce((sum, round) => sum + round.failures, 0)
  return [
    ...Object.entries(REQUIRED_RATIOS)
      .filter(([name]) => rounds.has(name))
      .map(([name, min]) => atLeast(`${path} against ${name}`, median(ratios(ownRounds, rounds.get(name) ?? [])), min)),
    below(
      `${path} p99 relative to ${LATENCY_PEER}`,
      p99(ownRounds) / p99(rounds.get(LATENCY_PEER) ?? []),
      MAX_LATENCY_RATIO,
      '×',
      2,
    ),
    { what: `${path} failures`, measured: String(failures), target: '0', met: failures === 0 },
  ]
}

function inRandomOrder<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, rank: random() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ value }) => value)
}

function p99(rounds: readonly LoadRound[]): number {
  return median(rounds.map(({ p99Ms }) => p99Ms))
}

function ratios(ownRounds: readonly LoadRound[], peerRounds: readonly LoadRound[]): number[] {
  return ownRounds.map((round, index) => round.perSecond / (peerRounds[index]?.perSecond ?? Number.NaN))
}

function row(name: string, ownRounds: readonly LoadRound[], serverRounds: readonly LoadRound[]): string[] {
  const rateRatios = ratios(ownRounds, serverRounds)
  const cpuRatio = median(
    ownRounds.map((round, index) => (serverRounds[index]?.cpuMicros ?? Number.NaN) / round.cpuMicros),
  )
  return [
    name,
    median(serverRounds.map(({ perSecond }) => perSecond)).toFixed(0),
    median(serverRounds.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(serverRounds.map(({ p99Ms }) => p99Ms)).toFixed(2),
    median(serverRounds.map(({ p999Ms }) => p999Ms)).toFixed(2),
    median(serverRounds.map(({ cpuMicros }) => cpuMicros)).toFixed(1),
    median(rateRatios).toFixed(2),
    `${Math.min(...rateRatios).toFixed(2)}–${Math.max(...rateRatios).toFixed(2)}`,
    cpuRatio.toFixed(2),
  ]
}
