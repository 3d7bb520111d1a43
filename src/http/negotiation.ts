import { flat } from '../wire/outgoing.ts'

export type Encoding = 'identity' | 'gzip' | 'br'

const remembered = new Map<string, Encoding>()
const MOST_REMEMBERED = 200

/** The best encoding a caller accepts. Callers send the same few texts over and over, so each is read once. */
export function bestEncoding(accepted: string | null): Encoding {
  if (!accepted) return 'identity'
  const known = remembered.get(accepted)
  if (known) return known
  const best = readAcceptEncoding(accepted)
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  // A part of a text keeps all of it in memory, and this one may be a part of a head with a key in it.
  if (accepted.length <= 100) remembered.set(flat(accepted), best)
  return best
}

function readAcceptEncoding(accepted: string): Encoding {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().slice(0, 1_000).split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    if (coding) weights.set(coding, Number.isFinite(weight) ? weight : 0)
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const br = weightOf('br')
  const gzip = Math.max(weightOf('gzip'), weights.get('x-gzip') ?? 0)
  if (br > 0 && br >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : 'identity'
}

/** Whether the caller already holds what `etag` names. A weak tag of the same value is good enough for a GET. */
export function holdsAlready(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
