import { type IpAddress, type IpNetwork, isInNetworks, parseIpAddress, parseIpNetwork } from '../lib/ip-network.ts'
import type { HttpContext } from './context.ts'

/** Which proxies are trusted to set `X-Forwarded-For`: none, a number of them in a row, or networks. */
export type TrustedProxies = 'off' | number | readonly IpNetwork[]

/** `off`, a number of proxies, or networks such as `10.0.0.0/8, ::1`; undefined if invalid. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^(off|false|0)$/.test(text)) return 'off'
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  const networks: IpNetwork[] = []
  for (const entry of text.split(',').map((text) => text.trim())) {
    const network = parseIpNetwork(entry)
    if (!network) return undefined
    networks.push(network)
  }
  return networks
}

/**
 * The client address. Each proxy appends the address of its caller to `X-Forwarded-For`, so the entries are read from the
 * right; entries further left can be forged.
 */
export function clientAddressReader(trusted: TrustedProxies): (c: HttpContext) => string {
  return (c) => {
    const peer = c.env.requestIP(c.req.raw)?.address ?? 'unknown'
    if (trusted === 'off' || c.env.isDirect) return peer
    const forwarded = c.req.raw.headers.get('x-forwarded-for')
    if (forwarded === null) return peer
    return findOrigin([peer, ...entriesFromTheRight(forwarded)], trusted)
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

/** `chain` starts with the peer of the connection. */
function findOrigin(chain: readonly string[], trusted: Exclude<TrustedProxies, 'off'>): string {
  let origin = chain[0] ?? 'unknown'
  for (const [index, entry] of chain.entries()) {
    const address = parseEntry(entry)
    // A trusted proxy would have written an address.
    if (address === undefined) return origin
    origin = address.toString()
    const isTrustedProxy = typeof trusted === 'number' ? index < trusted : isInNetworks(address, trusted)
    if (!isTrustedProxy) return origin
  }
  return origin
}

/** With or without a port. */
function parseEntry(entry: string): IpAddress | undefined {
  return parseIpAddress(/^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry)
}
