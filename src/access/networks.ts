import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = readonly [Address, number]

/** `10.0.0.0/8`, or one address; undefined when it is neither. */
export function readNetwork(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = readAddress(text)
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** An IPv4 address in IPv6 clothes is the IPv4 address it is. */
export function readAddress(text: string): Address | undefined {
  return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.process(text) : undefined
}

export function isIn(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

/** As it is kept and shown: an address alone is a network of one. */
export const networkText = ([address, bits]: Network) => `${address.toString()}/${bits}`
