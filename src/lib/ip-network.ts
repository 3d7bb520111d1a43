import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
export type IpNetwork = readonly [IpAddress, number]

/** `10.0.0.0/8`, or one address; undefined when it is neither. */
export function parseIpNetwork(text: string): IpNetwork | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = parseIpAddress(text)
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** An IPv4-mapped IPv6 address becomes the IPv4 address. */
export function parseIpAddress(text: string): IpAddress | undefined {
  return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.process(text) : undefined
}

export function isInNetworks(address: IpAddress, networks: readonly IpNetwork[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

/** For storage and display; a single address has the full prefix length. */
export const formatIpNetwork = ([address, bits]: IpNetwork) => `${address.toString()}/${bits}`
