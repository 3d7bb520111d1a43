import ipaddr from 'ipaddr.js'
import type { RateLimitDecision } from '../../http/admission.ts'
import type { LocalRateLimiter } from './rate-limiter.ts'

/** Limits by address. `kind` names separate counts of one address, such as attempts to sign in. */
export type AddressLimiter = {
  take(address: string, kind: string, limitPerMinute: number, nowMs: number): RateLimitDecision
}

/** Everything that is limited by address goes through here, so that no caller can forget that a /64 is one address. */
export const addressLimiterOn = (limiter: Pick<LocalRateLimiter, 'take'>): AddressLimiter => ({
  take: (address, kind, limitPerMinute, nowMs) =>
    limiter.take(`${kind} ${addressLimitKey(address)}`, limitPerMinute, 1, nowMs),
})

/**
 * The key for counting requests by address. An IPv6 customer owns at least a /64, so that network is counted; an
 * IPv4-mapped IPv6 address is counted as IPv4.
 */
export function addressLimitKey(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
