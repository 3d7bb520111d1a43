import type { AccessStore } from '../access/store.ts'
import type { AppraisalStore } from '../appraisal/appraisal-store.ts'
import type { Appraisals } from '../appraisal/appraisals.ts'
import type { PolicyStore } from '../appraisal/policy-store.ts'
import type { ShareStore } from '../appraisal/share-store.ts'
import type { NamesWire } from '../contract/account.ts'
import type { Rates } from '../currency/rates.ts'
import type { WatchStore } from '../events/watch-store.ts'
import type { WebhookStore } from '../events/webhook-store.ts'
import { ApiError } from '../http/api-error.ts'
import type { ApiRoute, HttpContext } from '../http/context.ts'
import type { FeedOverview } from '../import/feeds/feed-overview.ts'
import type { Profile } from '../import/market/profile-store.ts'
import type { ImportRun } from '../import/run-store.ts'
import type { UploadFolder } from '../import/uploads/upload-folder.ts'
import type { UploadStore } from '../import/uploads/upload-store.ts'
import type { Decision } from '../ratelimit/limiter.ts'
import type { Lookups } from '../risk/lookups.ts'
import type { ImportedList } from '../risk/sources/registry-source.ts'
import type { SourceDown } from '../risk/sources/source-health.ts'
import type { Seal } from '../seal.ts'
import type { UsageRecorder } from '../usage/recorder.ts'
import type { UsageStore } from '../usage/store.ts'
import type { AccountStore } from './store.ts'

export type UploadParts = {
  readonly store: UploadStore
  readonly folder: UploadFolder
  readonly profiles: () => Promise<readonly Profile[]>
  /** Has an upload looked over or imported in the turn that was taken, beside whatever this process does. */
  readonly start: (verb: 'check' | 'run', id: string, takenAt: number) => void
}

/** What the account routes are made of. */
export type AccountParts = {
  readonly accounts: AccountStore
  readonly access: AccessStore
  readonly usage: UsageStore
  readonly recorder: UsageRecorder
  /** The engines behind /api, for the explore pages. */
  readonly apiRoutes: readonly ApiRoute[]
  readonly lookups: Pick<Lookups, 'find' | 'export'>
  readonly appraisal: {
    readonly appraisals: Pick<Appraisals, 'preview' | 'history'>
    readonly records: Pick<AppraisalStore, 'export' | 'devices'>
    readonly shares: ShareStore
    readonly policies: Pick<PolicyStore, 'of' | 'change'>
    readonly rates: Pick<Rates, 'exchange' | 'currencies'>
    readonly labourCentsPerHour: number
    readonly deviceName: (id: string) => string | null
  }
  /** The newest imports of the whole service, newest first. */
  readonly imports: (limit: number) => Promise<readonly ImportRun[]>
  readonly findImport: (id: string) => Promise<ImportRun | undefined>
  /** The folder with the rejected rows of imports. */
  readonly reports: string
  readonly uploads: UploadParts
  readonly uploadLimitBytes: number
  readonly feeds: () => Promise<readonly FeedOverview[]>
  /** The outside sources of lookups that do not answer. */
  readonly sourcesDown: () => readonly SourceDown[]
  readonly lists: () => Promise<readonly ImportedList[]>
  /** What the cheapest configuration of a device sells for, used. */
  readonly usedFrom: (deviceId: string) => Promise<number | null>
  /** What the registry can be filtered by just now. */
  readonly names: () => NamesWire
  readonly limitsPerMinute: Readonly<Record<'public' | 'paid' | 'enterprise', number>>
  readonly baseUrl: () => string
  readonly sampleData: boolean
  readonly webhooks: WebhookStore
  readonly watches: Pick<WatchStore, 'end'>
  readonly webhookAllowPrivate: boolean
  /** For what must be read again, such as the secret of an authenticator app. */
  readonly seal: Seal
  /** The first owner is there: what a start left behind for them can go. */
  readonly setUp: () => void
  /** Throws on whatever failed, and says so where the store is away. */
  readonly storeTrouble: (error: unknown) => never
  readonly addressOf: (c: HttpContext) => string
  /** Spends so many of the lookups that the people of an organization have together in a minute. */
  readonly takeLookups: (organizationId: string, perMinute: number, cost: number, now: number) => Promise<Decision>
  /** Spends one of the requests, or of the attempts, that an address has in a minute; before anything else is done. */
  readonly takeRequest: (
    name: string,
    perMinute: number,
    now: number,
  ) => { allowed: boolean; retryAfterSeconds: number }
}

export const isSecure = (parts: Pick<AccountParts, 'baseUrl'>) => parts.baseUrl().startsWith('https:')

export function tooMany(retryAfterSeconds: number): ApiError {
  const wait = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}`
  return new ApiError('RATE_LIMIT_EXCEEDED', `Too many attempts. Try again in ${wait}.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}
