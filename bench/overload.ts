/**
 * First a flood: two thousand connections without a valid key, among which lookups of others must be answered in good
 * time. Then three times as many lookups as the program can do: those it takes must still be answered in good time, the
 * others must hear so at once, and memory must not grow with the queue. Requests come at their own pace, whether or not
 * earlier ones are answered, as they would from many callers. SECONDS, TIMES and FLOODING change how long and how hard.
 */
import { openConnections } from './support/connections.ts'
import { measureUnderFlood } from './support/flood.ts'
import { cpuSeconds, pinToCore, residentMemoryMb } from './support/load.ts'
import { lookupRequest } from './support/lookup-request.ts'
import { runOpenLoopLoad } from './support/open-loop-load.ts'
import { startBenchProgram } from './support/program.ts'
import { atLeast, below, reportTargets } from './support/targets.ts'

const SECONDS = Number(process.env.SECONDS ?? 10)
const TIMES = Number(process.env.TIMES ?? 3)
const FLOODING = Number(process.env.FLOODING ?? 2_000)
const CONNECTIONS = 3_000

// The load runs in this process too, so this process belongs on the core of the load.
const [command, ...options] = pinToCore('load')
if (command && process.env.PINNED === undefined) {
  const again = Bun.spawn([command, ...options, process.execPath, import.meta.path], {
    env: { ...process.env, PINNED: '1' },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  process.exit(await again.exited)
}

const program = await startBenchProgram()
const key = await program.newKey('enterprise')
let asked = 900_000_000
const lookup = () => lookupRequest(key, asked++)

/** As fast as answers come, over so many connections, and what each costs the program in processor time. */
async function capacity(many: number, seconds: number): Promise<{ perSecond: number; cpuMicros: number }> {
  const connections = await openConnections(program.url, many)
  const spent = cpuSeconds(program.pid)
  const until = performance.now() + seconds * 1000
  let answered = 0
  await Promise.all(
    connections.map(async (one) => {
      while (performance.now() < until) {
        await one.request(lookup())
        answered++
      }
    }),
  )
  return { perSecond: answered / seconds, cpuMicros: ((cpuSeconds(program.pid) - spent) / answered) * 1e6 }
}

await capacity(64, 3)
const flooded = await measureUnderFlood(program, lookup, { connections: FLOODING, seconds: SECONDS })
const able = await capacity(64, 4)
const offering = { url: program.url, key, connections: CONNECTIONS, perSecond: able.perSecond * TIMES }
await runOpenLoopLoad({ ...offering, seconds: 2 })
const before = residentMemoryMb(program.pid).now
const spentBefore = cpuSeconds(program.pid)
const { latenciesByStatus: seen, unsent } = await runOpenLoopLoad({ ...offering, seconds: SECONDS })
const spent = cpuSeconds(program.pid) - spentBefore
const after = residentMemoryMb(program.pid)
await program.stop()

const p99 = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
const none = { sinceSent: [], sinceDue: [] }
const { 200: answered = none, 503: refused = none, ...rest } = seen
const many = { answered: answered.sinceDue.length, refused: refused.sinceDue.length }
const others = Object.values(rest).flatMap(({ sinceDue }) => sinceDue).length
// Answers under overload are written in larger groups and cost less than this says, so a refusal costs no less than that.
const refusalMicros = (spent * 1e6 - many.answered * able.cpuMicros) / many.refused
console.log(
  `able to do ${able.perSecond.toFixed(0)} lookups a second; offered ${offering.perSecond.toFixed(0)} for ${SECONDS} s: ${many.answered} answered, ${many.refused} refused, ${others} something else, ${unsent} held up on our side
of processor time a lookup takes ${able.cpuMicros.toFixed(0)} µs and a refusal ${refusalMicros.toFixed(0)} µs
p99 from when a request was sent: answered ${p99(answered.sinceSent).toFixed(1)} ms, refused ${p99(refused.sinceSent).toFixed(1)} ms; below from when it was due\n`,
)
reportTargets([
  below(`lookup p50 beside a flood of ${FLOODING} connections`, flooded.p50Ms, 250, 'ms'),
  below(`lookup p99 beside a flood of ${FLOODING} connections`, flooded.p99Ms, 250, 'ms'),
  below('lookups that failed beside it', flooded.failed, 1, '', 0),
  atLeast('answered under overload, of what it is able to', many.answered / SECONDS / able.perSecond, 0.8),
  below('answered p99', p99(answered.sinceDue), 250, 'ms'),
  below('refused p99', p99(refused.sinceDue), 50, 'ms'),
  below('neither answered nor refused', others, 1, '', 0),
  below('memory that came with it', after.now - before, 40, 'MB', 0),
])
