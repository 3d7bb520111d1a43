/**
 * First a flood: 2,000 connections with invalid keys, during which lookups with a valid key must stay fast. Then overload:
 * three times as many lookups as the program can serve. Accepted lookups must stay fast, the others must be rejected at once,
 * and memory must not grow. The load is open-loop: requests are sent on schedule whether or not earlier ones have a response.
 * SECONDS sets the duration, TIMES the overload factor and FLOODING the connections of the flood.
 */
import { openConnections } from './support/connections.ts'
import { measureUnderFlood } from './support/flood.ts'
import { cpuSeconds, pinToCore, residentMemoryMb } from './support/load.ts'
import { lookupRequest } from './support/lookup-request.ts'
import { runOpenLoopLoad } from './support/open-loop-load.ts'
import { startBenchProgram } from './support/program.ts'
import { below, reportTargets } from './support/targets.ts'

const SECONDS = Number(process.env.SECONDS ?? 10)
const TIMES = Number(process.env.TIMES ?? 3)
const FLOODING = Number(process.env.FLOODING ?? 2_000)
const CONNECTIONS = 3_000

// Restarts itself on the core of the load, because this process also sends load.
const [command, ...options] = pinToCore('load')
if (command && process.env.PINNED === undefined) {
  const pinned = Bun.spawn([command, ...options, process.execPath, import.meta.path], {
    env: { ...process.env, PINNED: '1' },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  process.exit(await pinned.exited)
}

const program = await startBenchProgram()
const key = await program.newKey('enterprise')
let lookupNumber = 900_000_000
const lookup = () => lookupRequest(key, lookupNumber++)

/** Closed-loop load: the maximum rate over that many connections, and processor time per lookup. */
async function measureCapacity(
  connectionCount: number,
  seconds: number,
): Promise<{ perSecond: number; cpuMicros: number }> {
  const connections = await openConnections(program.url, connectionCount)
  const spent = cpuSeconds(program.pid)
  const until = performance.now() + seconds * 1000
  let responses = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < until) {
        await connection.request(lookup())
        responses++
      }
    }),
  )
  return { perSecond: responses / seconds, cpuMicros: ((cpuSeconds(program.pid) - spent) / responses) * 1e6 }
}

await measureCapacity(64, 3)
const flooded = await measureUnderFlood(program, lookup, { connections: FLOODING, seconds: SECONDS })
const capacity = await measureCapacity(64, 4)
const load = { url: program.url, key, connections: CONNECTIONS, perSecond: capacity.perSecond * TIMES }
await runOpenLoopLoad({ ...load, seconds: 2 })
const memoryBeforeMb = residentMemoryMb(program.pid).now
const spentBefore = cpuSeconds(program.pid)
const { latenciesByStatus, unsent } = await runOpenLoopLoad({ ...load, seconds: SECONDS })
const spent = cpuSeconds(program.pid) - spentBefore
const memoryAfterMb = residentMemoryMb(program.pid).now
await program.stop()

const p99 = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
const none = { sinceSent: [], sinceDue: [] }
const { 200: accepted = none, 503: rejected = none, ...others } = latenciesByStatus
const counts = { accepted: accepted.sinceDue.length, rejected: rejected.sinceDue.length }
const otherStatuses = Object.values(others).flatMap(({ sinceDue }) => sinceDue).length
// A lower bound: accepted lookups cost less under overload, because they are committed in larger groups.
const rejectionMicros = (spent * 1e6 - counts.accepted * capacity.cpuMicros) / counts.rejected
console.log(
  `capacity ${capacity.perSecond.toFixed(0)} lookups/s; offered ${load.perSecond.toFixed(0)}/s for ${SECONDS} s: ${counts.accepted} accepted, ${counts.rejected} rejected, ${otherStatuses} with another status, ${unsent} not sent for lack of a free connection
served: ${(counts.accepted / SECONDS / capacity.perSecond).toFixed(2)} of the capacity
CPU per lookup ${capacity.cpuMicros.toFixed(0)} µs, per rejection ${rejectionMicros.toFixed(0)} µs
p99 since sent: accepted ${p99(accepted.sinceSent).toFixed(1)} ms, rejected ${p99(rejected.sinceSent).toFixed(1)} ms; the targets below count from the scheduled time\n`,
)
reportTargets([
  below(`lookup p50 during a flood of ${FLOODING} connections`, flooded.p50Ms, 250, 'ms'),
  below(`lookup p99 during a flood of ${FLOODING} connections`, flooded.p99Ms, 250, 'ms'),
  below('failed lookups during the flood', flooded.failed, 1, '', 0),
  below('accepted p99', p99(accepted.sinceDue), 250, 'ms'),
  below('rejected p99', p99(rejected.sinceDue), 50, 'ms'),
  below('statuses other than 200 and 503', otherStatuses, 1, '', 0),
  below('memory growth', memoryAfterMb - memoryBeforeMb, 40, 'MB', 0),
])
