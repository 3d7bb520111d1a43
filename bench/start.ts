/** From the command to the line "listening on", with the bundled catalogue, and the memory it then takes. */
import { newDataDir, PROGRAM, startProgram } from '../test/support/program.ts'
import { median, residentMemoryMb } from './support/load.ts'
import { below, reportTargets } from './support/targets.ts'

const STARTS = 7

const first: number[] = []
const again: number[] = []
const memoryMb: number[] = []
for (let start = 0; start < STARTS; start++) {
  const dataDir = newDataDir()
  for (const times of [first, again]) {
    const from = performance.now()
    const program = await startProgram({ DATA_DIR: dataDir }, [PROGRAM])
    times.push(performance.now() - from)
    await Bun.sleep(500)
    memoryMb.push(residentMemoryMb(program.pid).now)
    await program.stop()
  }
}
console.log(`first starts ms: ${first.map(Math.round).join(' ')}; later starts ms: ${again.map(Math.round).join(' ')}`)
reportTargets([
  below('first start to ready, on an empty folder', median(first), 900, 'ms', 0),
  below('later start to ready', median(again), 500, 'ms', 0),
  below('memory when ready', median(memoryMb), 160, 'MB', 0),
])
