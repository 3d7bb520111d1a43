import ipaddr from 'ipaddr.js'

/** Whether an address is one of the open internet: not of this machine, of a private network, nor reserved for anything. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  // Networks that carry an IPv4 address inside are as public as that is.
  return true
}
