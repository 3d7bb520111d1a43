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
 * Connections that send an invalid key as fast as they are rejected and reconnect when they are closed. They run in a
 * process of their own, so that the measurement does not wait behind the flood.
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
  const waits: number[] = []
  let failed = 0
  const until = performance.now() + seconds * 1000
  await Promise.all(
    (await openConnections(program.url, PROBES)).map(async (one) => {
      while (performance.now() < until) {
        const from = performance.now()
        if ((await one.request(lookup())) !== 200) failed++
        waits.push(performance.now() - from)
        await Bun.sleep(5)
      }
    }),
  )
  console.log((await new Response(flooding.stdout).text()).split('\n').slice(2).join('\n').trimEnd())
  await flooding.exited
  waits.sort((left, right) => left - right)
  const at = (share: number) => waits[Math.floor(waits.length * share)] ?? Number.POSITIVE_INFINITY
  return { p50Ms: at(0.5), p99Ms: at(0.99), failed, count: waits.length }
}
