import type { AppraisalService } from '../appraisal/appraisal-service.ts'
import type { AppraisalStore } from '../appraisal/appraisal-store.ts'
import type { OutcomeService } from '../appraisal/outcome-service.ts'
import type { PolicyStore } from '../appraisal/policy-store.ts'
import type { ReceiptDetailsStore } from '../appraisal/receipt-details-store.ts'
import type { Actor } from '../auth/actor.ts'
import type { AuthStore } from '../auth/auth-store.ts'
import type { SessionAccount } from '../auth/guard.ts'
import type { AddressLimiter } from '../auth/rate-limit/address-limiter.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { ApiError } from '../http/api-error.ts'
import type { HttpContext } from '../http/context.ts'
import type { Encryption } from '../lib/encryption.ts'
import type { MailService } from '../mail/mail-service.ts'
import type { LookupService } from '../risk/lookup-service.ts'
import type { OidcSettings } from './oidc-mapping.ts'
import type { OidcClient } from './oidc-service.ts'
import type { PeopleStore } from './people-store.ts'
import type { CurrentOrganization, SessionContext } from './session-route.ts'
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
  readonly lookups: Pick<LookupService, 'find'>
  readonly appraisal: {
    readonly appraisals: Pick<AppraisalService, 'appraise' | 'find' | 'preview' | 'history'>
    readonly outcomes: OutcomeService
    readonly records: Pick<AppraisalStore, 'export' | 'devices' | 'deviceIds'>
    readonly receiptDetails: Pick<ReceiptDetailsStore, 'of'>
    readonly policies: Pick<PolicyStore, 'of' | 'change'>
    readonly rates: Pick<ExchangeRateService, 'exchangeFor' | 'currencies' | 'refresh'>
    /** Default labour rate of an organization, by its market, in US cents. */
    readonly labourOf: (organizationId: string) => Promise<number>
    /** Code of the service's market. */
    readonly serviceMarket: () => string
    readonly deviceName: (id: string) => string | null
  }
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
  /** Ends access of an organization now and deletes its data later. */
  readonly removeOrganization: (id: string, confirmedName: string, actor: Actor, now: number) => Promise<void>
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
  { takeFromAddressLimit }: Pick<DashboardDependencies, 'takeFromAddressLimit'>,
  c: SessionContext<'anyone'>,
  kind: string,
  perMinute: number,
): void {
  const decision = takeFromAddressLimit(c.get('address'), kind, perMinute, c.get('facts').now)
  if (!decision.allowed) throw tooManyAttemptsError(decision.retryAfterSeconds)
}

export function tooManyAttemptsError(retryAfterSeconds: number): ApiError {
  const wait = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`
  return new ApiError('RATE_LIMIT_EXCEEDED', `Too many attempts. Try again in ${wait}.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}
