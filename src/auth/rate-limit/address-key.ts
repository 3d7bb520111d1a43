import ipaddr from 'ipaddr.js'

/**
 * The name under which requests without a valid key are counted. An IPv6 customer owns at least a /64, so counting single
 * addresses there would be no limit at all; an IPv4 address in IPv6 clothes is counted as the IPv4 address it is.
 */
export function addressLimitKey(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const read = ipaddr.process(address)
  if (read.kind() === 'ipv4') return read.toString()
  const network = (read as ipaddr.IPv6).parts.slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
