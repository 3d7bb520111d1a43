/**
 * Repair answers: keyed reads of the real program against a bare server that sends the same bytes, and how fast answers are
 * made when none is ready. Rounds alternate; ROUNDS and SECONDS change how long it looks.
 */
import { devicesOnBoard } from '../src/catalog/onboard.ts'
import { readOnBoard } from '../src/repair/board.ts'
import { openKnowledge } from '../src/repair/knowledge.ts'
import { presentRepairs } from '../src/repair/present.ts'
import { load, loadGenerator, median, type Round } from './support/load.ts'
import { bareBun } from './support/peers.ts'
import { startForLoad } from './support/program.ts'
import { atLeast, below, judge, table } from './support/targets.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 7)
const SECONDS = Number(process.env.SECONDS ?? 2)
const PATH = '/api/repairs?device_id=apple-iphone-13-pro'

const wrk = await loadGenerator()
const program = await startForLoad()
const key = await program.newKey('paid')
const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' }
const answer = await fetch(program.url + PATH, { headers })
if (answer.status !== 200) throw new Error(`${PATH} answered ${answer.status}: ${await answer.text()}`)
const bytes = await answer.bytes()
const bare = await bareBun(bytes)
const ours = { url: program.url + PATH, pid: program.pid, key }
for (const server of [ours, bare]) await load(wrk, { ...server, seconds: 1 })
const rounds: { mine: Round; theirs: Round }[] = []
for (let round = 0; round < ROUNDS; round++) {
  const mine = await load(wrk, { ...ours, seconds: SECONDS })
  rounds.push({ mine, theirs: await load(wrk, { ...bare, seconds: SECONDS }) })
}
bare.stop()
await program.stop()

const middle = (of: (round: { mine: Round; theirs: Round }) => number) => median(rounds.map(of))
console.log(`GET ${PATH}: ${bytes.length} bytes, ${ROUNDS} rounds of ${SECONDS} s`)
console.log(
  table(
    ['server', 'per second', 'p99 ms', 'CPU µs'],
    (['mine', 'theirs'] as const).map((side) => [
      side === 'mine' ? 'ours' : 'bare Bun.serve',
      middle((round) => round[side].perSecond).toFixed(0),
      middle((round) => round[side].p99Ms).toFixed(2),
      middle((round) => round[side].cpuMicros).toFixed(1),
    ]),
  ),
)
console.log(`by CPU: ${middle(({ mine, theirs }) => theirs.cpuMicros / mine.cpuMicros).toFixed(2)} of bare Bun.serve\n`)
judge([
  atLeast(
    'against bare Bun.serve',
    middle(({ mine, theirs }) => mine.perSecond / theirs.perSecond),
    0.8,
  ),
  below('making one answer', makingMicros(), 250, 'µs', 0),
])

/** After a change, and for a device nobody asked for yet: processor time, which others on the machine hardly disturb. */
function makingMicros(): number {
  const pictureOf = openKnowledge({ ...readOnBoard(), imported: [], faultsImported: [] })
  const devices = devicesOnBoard()
  const times = Array.from({ length: 15 }, () => {
    const before = process.cpuUsage()
    for (const device of devices) JSON.stringify(presentRepairs(device, null, pictureOf(device, null), null))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / devices.length
  })
  return median(times)
}
