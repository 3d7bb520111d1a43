import ipaddr from 'ipaddr.js'

/**
 * The key for counting requests by address. An IPv6 customer owns at least a /64, so that network is counted; an
 * IPv4-mapped IPv6 address is counted as IPv4.
 */
export function addressLimitKey(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
