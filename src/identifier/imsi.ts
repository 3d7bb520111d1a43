import bundled from '../../data/identifiers/mobile-networks.json'
import { type Identifier, isCheckDigitValid } from './identifier.ts'
import { reportingBodyStatus } from './reporting-body.ts'

/** Without countries whose code begins with 35: their numbers are indistinguishable from IMEIs. */
const BY_COUNTRY = new Map(
  bundled.countries.map(({ code, name, networks }) => [code, { name, networks: new Set(networks.split(' ')) }]),
)

export type ImsiNetwork = { readonly country: string; readonly network: string }

/**
 * The number of a SIM card (IMSI) also has 15 digits and is shown next to the IMEI on many screens. It has no check
 * digit, so nine in ten look like an IMEI with a wrong one; the tenth has a prefix that no IMEI has.
 */
export function findImsiNetwork(identifier: Identifier): ImsiNetwork | null {
  const { form, text } = identifier
  if (form !== 'imei' || (isCheckDigitValid(identifier) && reportingBodyStatus(text) !== 'unallocated')) return null
  const country = BY_COUNTRY.get(text.slice(0, 3))
  const network = [text.slice(3, 5), text.slice(3, 6)].find((code) => country?.networks.has(code))
  return country && network ? { country: country.name, network: `${text.slice(0, 3)}-${network}` } : null
}
