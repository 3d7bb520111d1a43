import { join } from 'node:path'
import { loadBundle } from '../../dashboard/bundle.ts'
import type { AccessStore } from '../access/store.ts'
import { dashboardRoutes } from '../account/dashboard-routes.ts'
import type { AccountParts } from '../account/parts.ts'
import { accountRoutes } from '../account/routes.ts'
import { accountStore } from '../account/store.ts'
import { verificationRoutes } from '../account/verification-routes.ts'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import type { Appraisals } from '../appraisal/appraisals.ts'
import { policyStore } from '../appraisal/policy-store.ts'
import { shareStore } from '../appraisal/share-store.ts'
import { baseUrlOf, type Config } from '../config.ts'
import type { NamesWire } from '../contract/account.ts'
import type { Rates } from '../currency/rates.ts'
import { isStoreAway } from '../db/failures.ts'
import type { Database } from '../db/open.ts'
import { watchStore } from '../events/watch-store.ts'
import { webhookStore } from '../events/webhook-store.ts'
import { storeTrouble } from '../http/api-error.ts'
import type { ApiRoute, HttpContext } from '../http/context.ts'
import type { SiteRoute } from '../http/router.ts'
import type { FeedOverview } from '../import/feeds/feed-overview.ts'
import { findRun, newestRuns } from '../import/run-store.ts'
import type { Limiter } from '../ratelimit/limiter.ts'
import { memoryLimiter } from '../ratelimit/memory.ts'
import { knowledgeStore } from '../risk/knowledge-store.ts'
import type { Lookups } from '../risk/lookups.ts'
import { openSeal } from '../seal.ts'
import { removeSecretFile, SETUP_CODE_FILE } from '../secret-file.ts'
import type { UsageRecorder } from '../usage/recorder.ts'
import { usageStore } from '../usage/store.ts'
import type { Uploads } from './uploads.ts'

type Opening = {
  readonly db: Database
  readonly access: AccessStore
  readonly apiRoutes: readonly ApiRoute[]
  readonly lookups: Lookups
  readonly recorder: UsageRecorder
  readonly appraisals: Appraisals
  readonly rates: Rates
  readonly deviceName: (id: string) => string | null
  readonly addressOf: (c: HttpContext) => string
  readonly names: () => NamesWire
  readonly usedFrom: (deviceId: string) => Promise<number | null>
  readonly feeds: () => Promise<readonly FeedOverview[]>
  readonly uploads: Uploads
  readonly sourcesDown: AccountParts['sourcesDown']
  readonly limiter: Limiter
  readonly config: Config
}

/** The dashboard and its own API. */
export function accountSite({
  db,
  config,
  limiter: shared,
  appraisals,
  rates,
  deviceName,
  ...given
}: Opening): SiteRoute[] {
  const limiter = memoryLimiter({ maxKeys: 50_000 })
  const takeRequest: AccountParts['takeRequest'] = (name, perMinute, now) => limiter.take(name, perMinute, 1, now)
  const shares = shareStore(db)
  const trouble = storeTrouble(isStoreAway)
  return [
    ...accountRoutes({
      ...given,
      accounts: accountStore(db),
      usage: usageStore(db),
      imports: (limit) => newestRuns(db, limit),
      findImport: (id) => findRun(db, id),
      reports: join(config.dataDir, 'reports'),
      uploadLimitBytes: config.uploadLimitBytes,
      lists: knowledgeStore(db).lists,
      limitsPerMinute: config.limitsPerMinute,
      baseUrl: () => baseUrlOf(config),
      sampleData: config.sampleData,
      webhooks: webhookStore(db),
      watches: watchStore(db),
      webhookAllowPrivate: config.webhookAllowPrivate,
      seal: openSeal(config),
      setUp: () => removeSecretFile(config.dataDir, SETUP_CODE_FILE),
      storeTrouble: trouble,
      takeRequest,
      takeLookups: async (organizationId, perMinute, cost, now) =>
        shared.take(`people of ${organizationId}`, perMinute, cost, now),
      appraisal: {
        appraisals,
        records: appraisalStore(db),
        shares,
        policies: policyStore(db),
        rates,
        labourCentsPerHour: config.labourCentsPerHour,
        deviceName,
      },
    }),
    ...verificationRoutes({ addressOf: given.addressOf, takeRequest, storeTrouble: trouble, shares }),
    ...dashboardRoutes(loadBundle),
  ]
}
