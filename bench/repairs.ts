/**
 * Repair answers: keyed reads of the real program against servers that send the same bytes, and how fast answers are
 * made when none is ready. Rounds alternate; ROUNDS and SECONDS change how long it looks.
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
  owed: PEER_TARGETS,
  rounds: ROUNDS,
  seconds: SECONDS,
})
await program.stop()
reportTargets([...targets, below('making one answer', makingMicros(), 250, 'µs', 0)])

/** After a change, and for a device nobody asked for yet: processor time, which others on the machine hardly disturb. */
function makingMicros(): number {
  const pictureOf = indexRepairData({ ...loadBundledRepairData(), importedFacts: [], importedFaults: [] })
  const devices = bundledDevices()
  const times = Array.from({ length: 15 }, () => {
    const before = process.cpuUsage()
    for (const device of devices) JSON.stringify(presentRepairs(device, null, pictureOf(device, null), null, 6000))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / devices.length
  })
  return median(times)
}
