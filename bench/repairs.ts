/**
 * Repair responses: keyed reads of the real program compared with servers that send the same body, in alternating rounds, and
 * the time to build a response that is not cached. ROUNDS and SECONDS set the number and length of rounds.
 */
import { bundledDevices } from '../src/catalog/bundled-catalogue-service.ts'
import { loadBundledRepairData } from '../src/repairs/bundled-repair-data.ts'
import { presentRepairs } from '../src/repairs/present.ts'
import { indexRepairData } from '../src/repairs/repair-fact-index.ts'
import { median } from './support/load.ts'
import { compareWithPeers, PEER_TARGETS } from './support/peer-comparison.ts'
import { startBenchProgram } from './support/program.ts'
import { below, reportTargets } from './support/targets.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SECONDS = Number(process.env.SECONDS ?? 2)
const PATH = '/api/repairs?device_id=apple-iphone-13-pro'

const program = await startBenchProgram()
const targets = await compareWithPeers(program, await program.newKey('paid'), PATH, {
  minRatios: PEER_TARGETS,
  rounds: ROUNDS,
  seconds: SECONDS,
})
await program.stop()
reportTargets([...targets, below('building one response', buildMicros(), 250, 'µs', 0)])

/** Processor time per uncached response, which other load on the machine hardly disturbs. */
function buildMicros(): number {
  const findProfile = indexRepairData({ ...loadBundledRepairData(), importedFacts: [], importedFaults: [] })
  const devices = bundledDevices()
  const times = Array.from({ length: 15 }, () => {
    const startUsage = process.cpuUsage()
    for (const device of devices) JSON.stringify(presentRepairs(device, null, findProfile(device, null), null, 6000))
    const { user, system } = process.cpuUsage(startUsage)
    return (user + system) / devices.length
  })
  return median(times)
}
