/**
 * One organization asks for as much as its key and its bounds allow, one request at a time and six at once, while another
 * checks an identifier every 12 ms. Reports the other's latencies and the memory of the service and its child processes.
 * SECONDS sets the duration of each; ONLY names the attacks whose name contains it.
 */
import { treeMemoryMb } from '../test/support/process-memory.ts'
import { attacker, attackUntil, type TenantAttack, tenantAttacks, twoTenants } from '../test/support/tenant-attacks.ts'
import { runOpenLoopLoad } from './support/open-loop-load.ts'
import { startBenchProgram } from './support/program.ts'
import { showTable } from './support/results.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'

const SECONDS = Number(process.env.SECONDS ?? 4)
const ONLY = process.env.ONLY ?? ''
const EVERY_MS = 12
const SAMPLE_MS = 40

const program = await startBenchProgram({ TRUST_PROXY: '1', LOG_LEVEL: 'warn' }, 'any core')
const keys = await twoTenants(program.environment)
const caller = attacker(program.url, keys.attacker)
const load = { url: program.url, key: keys.other, connections: 40, perSecond: 1_000 / EVERY_MS }

type Measured = {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly failed: number
  readonly memoryMb: number
  readonly requests: string
}

async function measure(attack: TenantAttack | undefined, atOnce: number): Promise<Measured> {
  Bun.gc(true)
  const before = treeMemoryMb(program.pid)
  let highest = before
  let isOver = false
  const sampling = setInterval(() => {
    highest = Math.max(highest, treeMemoryMb(program.pid))
  }, SAMPLE_MS)
  const attacking = attack ? attackUntil(attack, caller, { atOnce, isOver: () => isOver }) : Promise.resolve(new Map())
  const { latenciesByStatus } = await runOpenLoopLoad({ ...load, seconds: SECONDS })
  isOver = true
  const statuses = await attacking
  clearInterval(sampling)
  const { 200: served, ...others } = latenciesByStatus
  const latencies = (served?.sinceDue ?? []).sort((a, b) => a - b)
  const quantile = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
  return {
    p50: quantile(0.5),
    p99: quantile(0.99),
    max: quantile(1),
    failed: Object.values(others).reduce((sum, { sinceDue }) => sum + sinceDue.length, 0),
    memoryMb: highest - before,
    requests: [...statuses].map(([status, count]) => `${count} × ${status}`).join(', '),
  }
}

const rows: string[][] = []
const targets: BenchTarget[] = []
async function report(name: string, atOnce: number, attack?: TenantAttack): Promise<void> {
  const { p50, p99, max, failed, memoryMb, requests } = await measure(attack, atOnce)
  const row = [
    name,
    String(atOnce),
    p50.toFixed(1),
    p99.toFixed(1),
    max.toFixed(0),
    String(failed),
    memoryMb.toFixed(0),
    requests,
  ]
  console.log(row.join(' | '))
  rows.push(row)
  if (!attack) return
  targets.push(
    below(`${name}, ${atOnce} at once: p99`, p99, 50, 'ms'),
    below(`${name}, ${atOnce} at once: failed`, failed, 1, '', 0),
    below(`${name}, ${atOnce} at once: memory`, memoryMb, 100, 'MB', 0),
  )
}

// The first requests also load what later ones use.
await measure(undefined, 0)
await report('nothing', 0)
for (const attack of tenantAttacks()) {
  if (!attack.name.includes(ONLY)) continue
  await attack.prepare?.(caller)
  await report(attack.name, 1, attack)
  await report(attack.name, 6, attack)
}
await program.stop()
showTable({
  title: `Identifier checks of one organization, every ${EVERY_MS} ms, beside requests of another`,
  head: ['requests of the other', 'at once', 'p50 ms', 'p99 ms', 'longest ms', 'failed', 'memory MB', 'responses'],
  rows,
})
reportTargets(targets)
