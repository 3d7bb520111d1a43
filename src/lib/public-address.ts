import ipaddr from 'ipaddr.js'

/** In a public range, but served inside the cloud: the platform service of Azure (DHCP, DNS, health, certificates). */
const CLOUD_SERVICES = new Set(['168.63.129.16'])

/** The only IPv6 block that is allocated to the internet, and the reserved ranges inside it. */
const IPV6_INTERNET = ipaddr.IPv6.parseCIDR('2000::/3')
const IPV6_RESERVED = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((block) =>
  ipaddr.IPv6.parseCIDR(block),
)

/**
 * Whether an address belongs to the public internet: not to this machine, a private network, a cloud or a reserved range.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  // An IPv4 address inside an IPv6 one counts as that IPv4 address.
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || CLOUD_SERVICES.has(address.toString())) return false
  if (address instanceof ipaddr.IPv4) return true
  return address.match(IPV6_INTERNET) && !IPV6_RESERVED.some((block) => address.match(block))
}

/** Link-local addresses and the metadata services of clouds: they hand out credentials of the machine to whoever asks. */
const NEVER_CALLED = ['169.254.0.0/16', '168.63.129.16/32', 'fe80::/10', 'fd00:ec2::254/128'].map((block) =>
  ipaddr.parseCIDR(block),
)

/** Whether nobody may call an address, also not one that a person entered. */
export function isNeverCalled(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return NEVER_CALLED.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

/** Names that never belong to the internet: of this machine, of a local network, and without a dot. */
const PRIVATE_NAME = /^[^.]+\.?$|\.(localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)\.?$/i

/** Whether a host name or address is a private one as it is written, without asking a name server. */
export const namesPrivateHost = (host: string): boolean =>
  ipaddr.isValid(host) ? !isPublicAddress(host) : PRIVATE_NAME.test(host)
