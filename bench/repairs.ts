/**
 * Repair answers: keyed reads of the real program against servers that send the same bytes, and how fast answers are
 * made when none is ready. Rounds alternate; ROUNDS and SECONDS change how long it looks.
 */
import { devicesOnBoard } from '../src/catalog/onboard.ts'
import { indexFacts } from '../src/repair/fact-index.ts'
import { readOnBoard } from '../src/repair/facts-on-board.ts'
import { presentRepairs } from '../src/repair/present.ts'
import { againstPeers, OWED } from './support/against-peers.ts'
import { median } from './support/load.ts'
import { startForLoad } from './support/program.ts'
import { below, judge } from './support/targets.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SECONDS = Number(process.env.SECONDS ?? 2)
const PATH = '/api/repairs?device_id=apple-iphone-13-pro'

const program = await startForLoad()
const targets = await againstPeers(program, await program.newKey('paid'), PATH, {
  owed: OWED,
  rounds: ROUNDS,
  seconds: SECONDS,
})
await program.stop()
judge([...targets, below('making one answer', makingMicros(), 250, 'µs', 0)])

/** After a change, and for a device nobody asked for yet: processor time, which others on the machine hardly disturb. */
function makingMicros(): number {
  const pictureOf = indexFacts({ ...readOnBoard(), imported: [], faultsImported: [] })
  const devices = devicesOnBoard()
  const times = Array.from({ length: 15 }, () => {
    const before = process.cpuUsage()
    for (const device of devices) JSON.stringify(presentRepairs(device, null, pictureOf(device, null), null, 6000))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / devices.length
  })
  return median(times)
}
