/** `npm run lab -- text train [--seeds 1,2] [--epochs 4] [--share 1]`: trains the networks of the reader and writes their weights. */
import { parseArgs } from 'node:util'
import { LABELS } from '../../src/text/labels.ts'
import { corpusHash } from './corpus.ts'
import { DEFAULT_THRESHOLDS, type Header, NO_CALIBRATION, writeWeights } from './pack.ts'
import { TRAINING, type Training } from './train.ts'
import type { TrainMessage, TrainRequest } from './train-worker.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    seeds: { type: 'string', default: '1,2' },
    epochs: { type: 'string', default: String(TRAINING.epochs) },
    share: { type: 'string', default: '1' },
  },
})
const seeds = values.seeds.split(',').map(Number)
const share = Number(values.share)

function trainInThread(training: Training): Promise<{ readonly bytes: Uint8Array; readonly texts: number }> {
  const worker = new Worker(new URL('./train-worker.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message))
    worker.onmessage = ({ data }: MessageEvent<TrainMessage>) => {
      if ('line' in data) return console.log(data.line)
      worker.terminate()
      resolve(data)
    }
    worker.postMessage({ training, share } satisfies TrainRequest)
  })
}

const corpus = corpusHash()
const trained = await Promise.all(
  seeds.map((seed) => trainInThread({ ...TRAINING, seed, epochs: Number(values.epochs) })),
)
const { buckets, size, width, dilations } = TRAINING.shape
const header: Header = {
  version: '1',
  corpus,
  texts: trained[0]?.texts ?? 0,
  buckets,
  size,
  width,
  dilations,
  seeds,
  labels: LABELS,
  calibration: NO_CALIBRATION,
  thresholds: DEFAULT_THRESHOLDS,
}
await writeWeights(
  trained.map(({ bytes }) => bytes),
  header,
)
