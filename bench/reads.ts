/**
 * Keyed reads of the real program against servers that send the same bytes: bare ones, and frameworks that do the same
 * whole job. ROUNDS and SECONDS change how long it looks.
 */

import { residentMemoryMb } from './support/load.ts'
import { compareWithPeers, PEER_TARGETS } from './support/peer-comparison.ts'
import { startBenchProgram } from './support/program.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'

const rounds = Number(process.env.ROUNDS ?? 7)
const seconds = Number(process.env.SECONDS ?? 2)

const program = await startBenchProgram()
const key = await program.newKey('public')
const targets: BenchTarget[] = []
for (const [path, owed] of [
  ['/api/devices?limit=20', { ...PEER_TARGETS, 'bare Bun.serve': 0.75 }],
  ['/api/variants?limit=20', PEER_TARGETS],
] as const) {
  targets.push(...(await compareWithPeers(program, key, path, { owed, rounds, seconds })))
}
targets.push(below('memory after all of it', residentMemoryMb(program.pid).now, 120, 'MB', 0))
await program.stop()
console.log('')
reportTargets(targets)
