import { type IpAddress, type IpNetwork, isInNetworks, parseIpAddress, parseIpNetwork } from '../lib/ip-network.ts'
import type { HttpContext } from './context.ts'

/** Whose word on `X-Forwarded-For` counts: nobody's, that of so many proxies in a row, or that of these networks. */
export type TrustedProxies = 'off' | number | readonly IpNetwork[]

/** `off`, a number of proxies, or networks such as `10.0.0.0/8, ::1`; undefined when it is none of them. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^(off|false|0)$/.test(text)) return 'off'
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  const networks: IpNetwork[] = []
  for (const part of text.split(',').map((one) => one.trim())) {
    const network = parseIpNetwork(part)
    if (!network) return undefined
    networks.push(network)
  }
  return networks
}

/**
 * Where a request comes from. Each proxy adds the address it was called from at the right end of `X-Forwarded-For`, so
 * the entries are counted from there; whatever stands further left anyone can have written.
 */
export function clientAddressReader(trusted: TrustedProxies): (c: HttpContext) => string {
  return (c) => {
    const peer = c.env.requestIP(c.req.raw)?.address ?? 'unknown'
    if (trusted === 'off') return peer
    const forwarded = c.req.raw.headers.get('x-forwarded-for')
    if (forwarded === null) return peer
    return originOf([peer, ...entriesFromTheRight(forwarded)], trusted)
  }
}

const MAX_ENTRIES = 20

function entriesFromTheRight(forwarded: string): string[] {
  return forwarded
    .slice(-2_000)
    .split(',')
    .slice(-MAX_ENTRIES)
    .map((entry) => entry.trim())
    .reverse()
}

/** `chain` begins with whoever holds the connection and leads away from us. */
function originOf(chain: readonly string[], trusted: Exclude<TrustedProxies, 'off'>): string {
  let origin = chain[0] ?? 'unknown'
  for (const [at, entry] of chain.entries()) {
    const address = parseEntry(entry)
    // An entry that is no address was written by nobody we trust.
    if (address === undefined) return origin
    origin = address.toString()
    const speaksForOthers = typeof trusted === 'number' ? at < trusted : isInNetworks(address, trusted)
    if (!speaksForOthers) return origin
  }
  return origin
}

/** With or without a port, as proxies write it. */
function parseEntry(entry: string): IpAddress | undefined {
  return parseIpAddress(/^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry)
}
