import { openConnections } from './connections.ts'
import { loadGenerator, pinToCore } from './load.ts'
import type { BenchProgram } from './program.ts'

/** Latency of lookups with a valid key during a flood of requests with invalid keys. */
export type FloodResult = {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failed: number
  readonly count: number
}

const PROBES = 4

/**
 * Measures lookups during a flood: connections that send an invalid key again as soon as they are rejected, and reconnect
 * when they are closed. The flood runs in its own process, so that it does not delay the measurement.
 */
export async function measureUnderFlood(
  program: BenchProgram,
  lookup: () => string,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<FloodResult> {
  const wrk = await loadGenerator()
  const flooding = Bun.spawn(
    [
      ...pinToCore('load'),
      wrk,
      '-t1',
      `-c${connections}`,
      `-d${seconds + 2}s`,
      '-H',
      'Authorization: Bearer pk_pub_nobody',
      `${program.url}/api/devices`,
    ],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  await Bun.sleep(1_500)
  const latencies: number[] = []
  let failed = 0
  const until = performance.now() + seconds * 1000
  await Promise.all(
    (await openConnections(program.url, PROBES)).map(async (connection) => {
      while (performance.now() < until) {
        const sentAt = performance.now()
        if ((await connection.request(lookup())) !== 200) failed++
        latencies.push(performance.now() - sentAt)
        await Bun.sleep(5)
      }
    }),
  )
  console.log((await new Response(flooding.stdout).text()).split('\n').slice(2).join('\n').trimEnd())
  await flooding.exited
  latencies.sort((left, right) => left - right)
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.POSITIVE_INFINITY
  return { p50Ms: percentile(0.5), p99Ms: percentile(0.99), failed, count: latencies.length }
}
