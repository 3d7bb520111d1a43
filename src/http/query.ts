const decoder = new TextDecoder()

/** Percent escapes become bytes and bytes become text; what is no UTF-8 becomes U+FFFD, as everywhere on the web. */
function decoded(text: string): string {
  if (!text.includes('%')) return text.includes('+') ? text.replaceAll('+', ' ') : text
  const bytes = new Uint8Array(Buffer.byteLength(text))
  let length = 0
  const source = Buffer.from(text.replaceAll('+', ' '))
  for (let at = 0; at < source.length; at++) {
    const byte = source[at] as number
    const high = byte === 37 ? hexValue(source[at + 1]) : -1
    const low = high < 0 ? -1 : hexValue(source[at + 2])
    if (low >= 0) {
      bytes[length++] = high * 16 + low
      at += 2
    } else bytes[length++] = byte
  }
  return decoder.decode(bytes.subarray(0, length))
}

function hexValue(code: number | undefined): number {
  if (code === undefined) return -1
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/**
 * The query parameters by name, decoded as form data is ("+" is a blank). The first of each counts and an empty one
 * counts as absent. A broken escape such as "%zz" stands for itself: what a caller sends never makes us fail.
 */
export function queryParameters(target: string): Map<string, string> {
  const found = new Map<string, string>()
  const seen = new Set<string>()
  const start = target.indexOf('?')
  if (start < 0) return found
  const hash = target.indexOf('#', start)
  for (const pair of (hash < 0 ? target.slice(start + 1) : target.slice(start + 1, hash)).split('&')) {
    const cut = pair.indexOf('=')
    const name = decoded(cut < 0 ? pair : pair.slice(0, cut))
    if (!name || seen.has(name)) continue
    seen.add(name)
    const value = cut < 0 ? '' : decoded(pair.slice(cut + 1))
    if (value) found.set(name, value)
  }
  return found
}

/** What a target asks, read when it is first looked at. */
export type Question = {
  /** Path and query as they were sent. */
  readonly target: string
  readonly parameters: () => ReadonlyMap<string, string>
  /** The first value of a query parameter; an empty one counts as absent. */
  readonly query: (name: string) => string | undefined
}

export function question(target: string): Question {
  let read: ReadonlyMap<string, string> | undefined
  const parameters = () => {
    read ??= queryParameters(target)
    return read
  }
  return { target, parameters, query: (name) => parameters().get(name) }
}
