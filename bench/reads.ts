/**
 * Keyed reads of the real program against servers that send the same bytes: bare ones, and frameworks that do the same
 * whole job. ROUNDS and SECONDS change how long it looks.
 */
import { againstPeers, OWED } from './support/against-peers.ts'
import { residentMb } from './support/load.ts'
import { startForLoad } from './support/program.ts'
import { below, judge, type Target } from './support/targets.ts'

const rounds = Number(process.env.ROUNDS ?? 7)
const seconds = Number(process.env.SECONDS ?? 2)

const program = await startForLoad()
const key = await program.newKey('public')
const targets: Target[] = []
for (const [path, owed] of [
  ['/api/devices?limit=20', { ...OWED, 'bare Bun.serve': 0.75 }],
  ['/api/variants?limit=20', OWED],
] as const) {
  targets.push(...(await againstPeers(program, key, path, { owed, rounds, seconds })))
}
targets.push(below('memory after all of it', residentMb(program.pid).now, 120, 'MB', 0))
await program.stop()
console.log('')
judge(targets)
