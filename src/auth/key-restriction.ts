import { TIER_NAMES, type Tier, tierIncludes } from '../contract/tiers.ts'
import { invalid } from '../lib/errors.ts'
import { formatIpNetwork, type IpNetwork, isInNetworks, parseIpAddress, parseIpNetwork } from '../lib/ip-network.ts'
import { reason } from '../lib/reasons.ts'

const MAX_NETWORKS = 50

/** Why a valid key may not be used. */
export type KeyRestriction = {
  /** The networks it may be used from; null for all. */
  readonly networks: readonly IpNetwork[] | null
  /** The highest tier of its organization if the key is above it, otherwise null. */
  readonly organizationTier: Tier | null
}

/** Null for a key without restrictions, the common case. */
export function toKeyRestriction(tier: Tier, organizationTier: Tier, networks: string | null): KeyRestriction | null {
  const isAboveOrganization = !tierIncludes(organizationTier, tier)
  if (!isAboveOrganization && networks === null) return null
  return {
    networks:
      networks === null
        ? null
        : (JSON.parse(networks) as string[]).map(parseIpNetwork).filter((network) => network !== undefined),
    organizationTier: isAboveOrganization ? organizationTier : null,
  }
}

/** The error message if the key may not be used from this address; undefined if it may. */
export function restrictionViolation(
  restriction: KeyRestriction,
  tier: Tier,
  clientAddress: string,
): string | undefined {
  const { networks, organizationTier } = restriction
  if (organizationTier !== null) {
    return `This key is of the ${TIER_NAMES[tier]} tier and its organization may use tiers up to ${TIER_NAMES[organizationTier]}.`
  }
  if (networks === null) return undefined
  const address = parseIpAddress(clientAddress)
  if (address && isInNetworks(address, networks)) return undefined
  return `This key may not be used from the address ${clientAddress}.`
}

/** Validated networks in CIDR form; null if the list is empty, which allows all. */
export function parseAllowedNetworks(entries: readonly string[]): string[] | null {
  const texts = entries.map((text) => text.trim()).filter(Boolean)
  if (texts.length === 0) return null
  if (texts.length > MAX_NETWORKS)
    throw invalid(
      'allowed_addresses',
      `${texts.length} of them`,
      `at most ${MAX_NETWORKS}`,
      reason('too_many', { maximum: MAX_NETWORKS }),
    )
  const networks = texts.map((text) => {
    const network = parseIpNetwork(text)
    if (!network)
      throw invalid(
        'allowed_addresses',
        text,
        'an address such as 203.0.113.7 or a network such as 10.0.0.0/8',
        reason('not_a_network', { text }),
      )
    return formatIpNetwork(network)
  })
  return [...new Set(networks)]
}
