import { LRUCache } from 'lru-cache'

export type ContentEncoding = 'identity' | 'gzip' | 'br'

/** Memoized, because clients send the same few values. */
const encodingCache = new LRUCache<string, ContentEncoding>({ max: 200 })

/** The best encoding a caller accepts. */
export function bestEncoding(accepted: string | null): ContentEncoding {
  if (!accepted) return 'identity'
  const cached = encodingCache.get(accepted)
  if (cached) return cached
  const best = parseAcceptEncoding(accepted)
  if (accepted.length <= 100) encodingCache.set(accepted, best)
  return best
}

function parseAcceptEncoding(accepted: string): ContentEncoding {
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

/** Whether `If-None-Match` contains the ETag; weak comparison, as HTTP requires for GET. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
