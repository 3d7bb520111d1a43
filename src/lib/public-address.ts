import ipaddr from 'ipaddr.js'

/** Whether an address is one of the open internet: not of this machine, of a private network, nor reserved for anything. */
export function isPublicAddress(text: string): boolean {
  // What carries an IPv4 address inside is taken for that, or has a name of its own and is none of them.
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'unicast'
}
