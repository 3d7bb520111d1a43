import type { Context } from 'hono'
import type { SessionWire } from '../../contract/account.ts'
import type { HttpContext } from '../../http/context.ts'
import type { Encryption } from '../../lib/encryption.ts'
import type { MailService } from '../../mail/mail-service.ts'
import type { AccountsStore } from '../accounts/accounts-store.ts'
import type { AddressLimiter } from '../rate-limit/address-limiter.ts'
import type { OidcSettings } from '../sso/oidc-mapping.ts'
import type { OidcClient } from '../sso/oidc-service.ts'
import type { Session } from './session-store.ts'

export type OidcSignOn = {
  readonly settings: OidcSettings
  readonly client: OidcClient
  readonly onFailure: (message: string, cause: unknown) => void
}

/** Dependencies of the routes under /account. */
export type AccountDependencies = {
  readonly accounts: AccountsStore
  readonly organizationName: (organizationId: string) => Promise<string | null>
  /** What a page shows of the person of a session and their organization. */
  readonly describeSession: (session: Session) => Promise<SessionWire>
  /** Code of the service's market. */
  readonly serviceMarket: () => string
  /** Currency of a market, null for the service's; undefined if it has no exchange rate. */
  readonly currencyOfMarket: (market: string | null) => string | undefined
  readonly baseUrl: () => string
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

/** Whether cookies are sent over TLS only: by the address of the service, or because the request came over TLS. */
export const isHttps = ({ baseUrl }: Pick<AccountDependencies, 'baseUrl'>, c: Context) =>
  baseUrl().startsWith('https:') || c.req.raw.url.startsWith('https:')
