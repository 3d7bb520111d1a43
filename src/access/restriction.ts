import { covers, TIER_NAMES, type Tier } from '../contract/tiers.ts'
import { invalid } from '../errors.ts'
import { isIn, type Network, networkText, readAddress, readNetwork } from './networks.ts'

const MOST_NETWORKS = 50

/** What forbids the use of a key that is good otherwise. */
export type Restriction = {
  /** The networks it may be used from; null for all. */
  readonly networks: readonly Network[] | null
  /** The highest tier of its organization, where the key is above it. */
  readonly organizationTier: Tier | null
}

/** Null for the usual key, which may be used from anywhere: the path of a request looks no further then. */
export function restrictionOf(tier: Tier, organizationTier: Tier, networks: string | null): Restriction | null {
  const isAbove = !covers(organizationTier, tier)
  if (!isAbove && networks === null) return null
  return {
    networks:
      networks === null
        ? null
        : (JSON.parse(networks) as string[]).map(readNetwork).filter((network) => network !== undefined),
    organizationTier: isAbove ? organizationTier : null,
  }
}

/** Why a key cannot be used by somebody at this address, in a sentence; undefined if it can. */
export function refusedUse(restriction: Restriction, tier: Tier, from: string): string | undefined {
  const { networks, organizationTier } = restriction
  if (organizationTier !== null) {
    return `This key is of the ${TIER_NAMES[tier]} tier and its organization may use tiers up to ${TIER_NAMES[organizationTier]}.`
  }
  if (networks === null) return undefined
  const address = readAddress(from)
  if (address && isIn(address, networks)) return undefined
  return `This key may not be used from the address ${from}.`
}

/** A list of networks as it is kept; null where there is none, which allows all. */
export function readNetworks(given: readonly string[]): string[] | null {
  const texts = given.map((text) => text.trim()).filter(Boolean)
  if (texts.length === 0) return null
  if (texts.length > MOST_NETWORKS)
    throw invalid('allowed_addresses', `${texts.length} of them`, `at most ${MOST_NETWORKS}`)
  const networks = texts.map((text) => {
    const network = readNetwork(text)
    if (!network)
      throw invalid('allowed_addresses', text, 'an address such as 203.0.113.7 or a network such as 10.0.0.0/8')
    return networkText(network)
  })
  return [...new Set(networks)]
}
