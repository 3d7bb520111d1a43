/**
 * Prices: keyed price requests compared with servers that send the same body, memory after requests for all 20,000 priced
 * variants, durable appraisals, the pricing engine alone, and the nightly price pass. ROUNDS and SECONDS set the number and
 * length of rounds, ROWS the observations of the pass; `http`, `appraisals`, `engine` or `pass` measures that part only.
 */
import { join } from 'node:path'
import { newDataDir } from '../test/support/program.ts'
import { measureAppraisals } from './support/appraisals.ts'
import { residentMemoryMb } from './support/load.ts'
import { fillCatalogue, MARKET_VARIANTS } from './support/market-catalogue.ts'
import { compareWithPeers } from './support/peer-comparison.ts'
import { measurePricePass } from './support/price-pass.ts'
import { startBenchProgram } from './support/program.ts'
import { measureRepricing } from './support/repricing.ts'
import { writeSyntheticMarket } from './support/synthetic-market.ts'
import { type BenchTarget, below, reportTargets } from './support/targets.ts'
import { timedImport } from './support/timed-import.ts'

const IMPORTED = 200_000
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 2)
const part = process.argv[2]

const targets: BenchTarget[] = []
if (!part || part === 'http') targets.push(...(await measureRequests()))
if (!part || part === 'appraisals') targets.push(...(await measureAppraisals(ROUNDS, SECONDS * 2)))
if (!part || part === 'engine') targets.push(...measureRepricing())
if (!part || part === 'pass') targets.push(...(await measurePricePass()))
reportTargets(targets)

async function measureRequests(): Promise<BenchTarget[]> {
  const dataDir = newDataDir()
  await fillCatalogue({ url: '', dataDir })
  const file = join(dataDir, 'market.csv')
  await writeSyntheticMarket(file, MARKET_VARIANTS, IMPORTED)
  await timedImport('observations', file, { DATA_DIR: dataDir })
  const program = await startBenchProgram({ DATA_DIR: dataDir, SAMPLE_DATA: 'off' })
  const key = await program.newKey('paid')
  const path = `/api/pricing?variant_id=${MARKET_VARIANTS[1]?.id}`
  const compared = await compareWithPeers(program, key, path, { rounds: ROUNDS, seconds: SECONDS })
  const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' }
  const startedAt = performance.now()
  for (let from = 0; from < MARKET_VARIANTS.length; from += 32) {
    await Promise.all(
      MARKET_VARIANTS.slice(from, from + 32).map(async ({ id }) => {
        const response = await fetch(`${program.url}/api/pricing?variant_id=${id}`, { headers })
        await response.arrayBuffer()
      }),
    )
  }
  const msPerResponse = (performance.now() - startedAt) / MARKET_VARIANTS.length
  const memoryMb = residentMemoryMb(program.pid).now
  await program.stop()
  return [
    ...compared,
    below('first price of a variant, on average', msPerResponse, 5, 'ms', 2),
    below('memory with 20,000 priced variants', memoryMb, 400, 'MB', 0),
  ]
}
