/**
 * Keyed reads of the real program compared with servers that send the same body: bare ones, and frameworks that also check
 * keys and limits. ROUNDS and SECONDS set the number and length of rounds.
 */

import { residentMemoryMb } from './support/load.ts'
import { compareWithPeers } from './support/peer-comparison.ts'
import { startBenchProgram } from './support/program.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'

const rounds = Number(process.env.ROUNDS ?? 7)
const seconds = Number(process.env.SECONDS ?? 2)

const program = await startBenchProgram()
const key = await program.newKey('public')
const targets: BenchTarget[] = []
for (const path of ['/api/devices?limit=20', '/api/variants?limit=20'])
  targets.push(...(await compareWithPeers(program, key, path, { rounds, seconds })))
targets.push(below('memory after the load', residentMemoryMb(program.pid).now, 200, 'MB', 0))
await program.stop()
console.log('')
reportTargets(targets)
