import type { PolicyStore } from '../appraisal/policy-store.ts'
import type { AuthStore } from '../auth/auth-store.ts'
import type { SessionAccount } from '../auth/guard.ts'
import type { AddressLimiter } from '../auth/rate-limit/address-limiter.ts'
import { ApiError } from '../http/api-error.ts'
import type { HttpContext } from '../http/context.ts'
import type { Encryption } from '../lib/encryption.ts'
import type { MailService } from '../mail/mail-service.ts'
import type { OidcSettings } from './oidc-mapping.ts'
import type { OidcClient } from './oidc-service.ts'
import type { PeopleStore } from './people-store.ts'
import type { CurrentOrganization } from './session-route.ts'
import type { Session } from './session-store.ts'

export type OidcSignOn = {
  readonly settings: OidcSettings
  readonly client: OidcClient
  readonly onFailure: (message: string, cause: unknown) => void
}

/** Dependencies of the dashboard's routes. */
export type DashboardDependencies = {
  readonly people: PeopleStore
  readonly auth: AuthStore
  /** What the account of a session may do; undefined if it has no organization. */
  readonly sessionAccountOf: (session: Session) => Promise<SessionAccount>
  /** Currency of a market, null for the service's; undefined if it has no exchange rate. */
  readonly currencyOfMarket: (market: string | null) => string | undefined
  readonly appraisal: {
    readonly policies: Pick<PolicyStore, 'of'>
    /** Code of the service's market. */
    readonly serviceMarket: () => string
  }
  /** Currency and market of an organization, as its pages show amounts. */
  readonly moneyOf: (
    organizationId: string,
  ) => Promise<{ readonly currency: string; readonly units_per_usd: number; readonly market: string }>
  readonly limitsPerMinute: Readonly<Record<'public' | 'paid' | 'enterprise', number>>
  readonly baseUrl: () => string
  readonly sampleData: () => boolean
  /** Sign-in with an issuer; undefined if none is set up. */
  readonly oidc: OidcSignOn | undefined
  /** Sends mail in the background, if it is configured. */
  readonly mail: Pick<MailService, 'isConfigured' | 'send'>
  /** For secrets that must be decrypted again, such as those of authenticator apps. */
  readonly encryption: Encryption
  /** Called when the first owner exists: deletes the set-up code file. */
  readonly onSetUp: () => void
  /** Rethrows an error; an unavailable database becomes 503. */
  readonly rethrowDatabaseError: (error: unknown) => never
  readonly addressOf: (c: HttpContext) => string
  /** Counts a request or an attempt against the limit of its address, before any other work. */
  readonly takeFromAddressLimit: AddressLimiter['take']
}

export const isHttps = (parts: Pick<DashboardDependencies, 'baseUrl'>) => parts.baseUrl().startsWith('https:')

/** The highest tier of an organization and its rate limit per tier. */
export async function readTierAndLimits(
  { auth, limitsPerMinute }: Pick<DashboardDependencies, 'auth' | 'limitsPerMinute'>,
  organizationId: string,
): Promise<Pick<CurrentOrganization, 'tier' | 'limits'>> {
  const [tier, limit] = await Promise.all([
    auth.organizationTier(organizationId),
    auth.organizationLimit(organizationId),
  ])
  const { public: publicLimit, paid, enterprise } = limitsPerMinute
  return { tier, limits: { public: limit ?? publicLimit, paid: limit ?? paid, enterprise: limit ?? enterprise } }
}

/** Throws if the address has made too many attempts of this kind within a minute. */
export function limitAttempts(
  { takeFromAddressLimit, addressOf }: Pick<DashboardDependencies, 'takeFromAddressLimit' | 'addressOf'>,
  c: HttpContext,
  kind: string,
  perMinute: number,
): void {
  const decision = takeFromAddressLimit(addressOf(c), kind, perMinute, c.get('facts').now)
  if (!decision.allowed) throw tooManyAttemptsError(decision.retryAfterSeconds)
}

export function tooManyAttemptsError(retryAfterSeconds: number): ApiError {
  const wait = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`
  return new ApiError('RATE_LIMIT_EXCEEDED', `Too many attempts. Try again in ${wait}.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}
