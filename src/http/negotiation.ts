import { LRUCache } from 'lru-cache'

export type Encoding = 'identity' | 'gzip' | 'br'

/** Callers send the same few texts over and over, so each is read once. */
const remembered = new LRUCache<string, Encoding>({ max: 200 })

/** The best encoding a caller accepts. */
export function bestEncoding(accepted: string | null): Encoding {
  if (!accepted) return 'identity'
  const known = remembered.get(accepted)
  if (known) return known
  const best = readAcceptEncoding(accepted)
  if (accepted.length <= 100) remembered.set(accepted, best)
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
