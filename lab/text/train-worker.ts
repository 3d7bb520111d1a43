/** One network of the reader, trained in a thread of its own. */
import { isHeld, readCorpus } from './corpus.ts'
import { deviceNames } from './names.ts'
import { packNetwork } from './pack.ts'
import { type Training, train } from './train.ts'

export type TrainRequest = { readonly training: Training; readonly share: number }
export type TrainMessage = { readonly line: string } | { readonly bytes: Uint8Array; readonly texts: number }

self.onmessage = async ({ data }: MessageEvent<TrainRequest>) => {
  const { training, share } = data
  const examples = readCorpus().filter((example, index) => !isHeld(example) && isInShare(index, share))
  const network = await train(examples, deviceNames(), training, (line) =>
    self.postMessage({ line: `seed ${training.seed}, ${line}` } satisfies TrainMessage),
  )
  self.postMessage({ bytes: packNetwork(network, training.shape), texts: examples.length } satisfies TrainMessage)
}

/** The same texts for a share every time, spread evenly; a larger share contains a smaller one. */
function isInShare(index: number, share: number): boolean {
  const position = Math.imul(index + 1, 0x9e3779b1) >>> 0
  return position < share * 2 ** 32
}
