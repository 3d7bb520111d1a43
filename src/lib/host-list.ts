/** Addresses with several hosts, such as `postgres://user@a:5432,b:5432/db`: no URL for the parser, which knows one host. */

const PARTS = /^([a-z][a-z+]*:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/i

/** One address per host, in the order of the list; undefined if one of them is no address. */
export function splitHosts(address: string): string[] | undefined {
  const [, scheme, credentials = '', hosts = '', rest = ''] = PARTS.exec(address) ?? []
  if (scheme === undefined) return undefined
  const names = hosts.split(',')
  const urls = names.map((host) => `${scheme}${credentials}${host}${rest}`)
  return (names.length > 1 && names.includes('')) || !urls.every((url) => URL.canParse(url)) ? undefined : urls
}

/** For messages: the hosts without user and password. */
export const describeHosts = (address: string) => PARTS.exec(address)?.[3] ?? ''
