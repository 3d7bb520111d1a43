/**
 * Three times as many lookups as the program can do: those it takes must still be answered in good time, the others must
 * hear so at once, and memory must not grow with the queue. Requests come at their own pace, whether or not earlier ones
 * are answered, as they would from many callers. SECONDS and TIMES change how long and how hard.
 */
import { type LoadedConnection, openConnections } from './support/connections.ts'
import { pinned, residentMb } from './support/load.ts'
import { startForLoad } from './support/program.ts'
import { atLeast, below, judge } from './support/targets.ts'

const SECONDS = Number(process.env.SECONDS ?? 10)
const TIMES = Number(process.env.TIMES ?? 3)
const CONNECTIONS = 3_000
const TICK_MS = 5

// The load runs in this process, so this process belongs on the core of the load.
const [command, ...options] = pinned('load')
if (command && process.env.PINNED === undefined) {
  const again = Bun.spawn([command, ...options, process.execPath, import.meta.path], {
    env: { ...process.env, PINNED: '1' },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  process.exit(await again.exited)
}

const program = await startForLoad()
const key = await program.newKey('enterprise')
let asked = 0

function lookup(): string {
  const body = `{"identifier":"35000${String(asked++ % 1_000_000_000).padStart(9, '0')}"}`
  return `POST /api/imei HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

type Seen = { readonly status: number; readonly waitedMs: number }

/** As fast as answers come, over so many connections. */
async function capacity(many: number, seconds: number): Promise<number> {
  const connections = await openConnections(program.url, many)
  const until = performance.now() + seconds * 1000
  let answered = 0
  await Promise.all(
    connections.map(async (one) => {
      while (performance.now() < until) {
        await one.ask(lookup())
        answered++
      }
    }),
  )
  return answered / seconds
}

/** So many a second, come what may. What finds no free connection was held up on our side and is told apart. */
async function offer(
  connections: readonly LoadedConnection[],
  perSecond: number,
  seconds: number,
): Promise<{ seen: Seen[]; unsent: number }> {
  const free: LoadedConnection[] = [...connections]
  const seen: Seen[] = []
  let sent = 0
  let unsent = 0
  const from = performance.now()
  for (let elapsedMs = 0; elapsedMs < seconds * 1000; elapsedMs = performance.now() - from) {
    for (const due = (elapsedMs / 1000) * perSecond; sent + unsent < due; ) {
      // Each in its turn: one that is not used for long is closed.
      const one = free.shift()
      if (!one) {
        unsent++
        continue
      }
      sent++
      const at = performance.now()
      one.ask(lookup()).then((status) => {
        seen.push({ status, waitedMs: performance.now() - at })
        free.push(one)
      })
    }
    await Bun.sleep(TICK_MS)
  }
  while (free.length < connections.length) await Bun.sleep(TICK_MS)
  return { seen, unsent }
}

await capacity(64, 3)
const able = await capacity(64, 4)
const connections = await openConnections(program.url, CONNECTIONS)
await offer(connections, able * TIMES, 2)
const before = residentMb(program.pid).now
const { seen, unsent } = await offer(connections, able * TIMES, SECONDS)
const after = residentMb(program.pid)
await program.stop()

const waits = (status: number) => seen.filter((one) => one.status === status).map(({ waitedMs }) => waitedMs)
const p99 = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
const others = seen.filter(({ status }) => status !== 200 && status !== 503).length
console.log(
  `able to do ${able.toFixed(0)} lookups a second; offered ${(able * TIMES).toFixed(0)} for ${SECONDS} s: ${waits(200).length} answered, ${waits(503).length} refused, ${others} something else, ${unsent} held up on our side\n`,
)
judge([
  atLeast('answered under overload, of what it is able to', waits(200).length / SECONDS / able, 0.5),
  below('answered p99', p99(waits(200)), 250, 'ms'),
  below('refused p99', p99(waits(503)), 50, 'ms'),
  below('neither answered nor refused', others, 1, '', 0),
  below('memory that came with it', after.now - before, 40, 'MB', 0),
])
