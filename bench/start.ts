/** Time from the command to the line "listening on" with the bundled catalogue, and memory use after that. */
import { newDataDir, PROGRAM, startProgram } from '../test/support/program.ts'
import { median, residentMemoryMb } from './support/load.ts'
import { below, reportTargets } from './support/targets.ts'

const STARTS = 7

const firstStarts: number[] = []
const laterStarts: number[] = []
const memoryMb: number[] = []
for (let start = 0; start < STARTS; start++) {
  const dataDir = newDataDir()
  for (const times of [firstStarts, laterStarts]) {
    const startedAt = performance.now()
    const program = await startProgram({ DATA_DIR: dataDir }, [PROGRAM])
    times.push(performance.now() - startedAt)
    await Bun.sleep(500)
    memoryMb.push(residentMemoryMb(program.pid).now)
    await program.stop()
  }
}
console.log(
  `first starts ms: ${firstStarts.map(Math.round).join(' ')}; later starts ms: ${laterStarts.map(Math.round).join(' ')}`,
)
reportTargets([
  below('first start to ready, empty folder', median(firstStarts), 900, 'ms', 0),
  below('later start to ready', median(laterStarts), 500, 'ms', 0),
  below('memory when ready', median(memoryMb), 160, 'MB', 0),
])
