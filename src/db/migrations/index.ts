import type { Kysely } from 'kysely'
import { migration as foundation } from './001-foundation.ts'
import { migration as lists } from './002-lists.ts'
import { migration as market } from './003-market.ts'
import { migration as repairs } from './004-repairs.ts'
import { migration as lookups } from './005-lookups.ts'
import { migration as people } from './006-people.ts'
import { migration as deviceChanges } from './007-device-changes.ts'
import { migration as signInAttempts } from './008-sign-in-attempts.ts'
import { migration as narrowObservations } from './009-narrow-observations.ts'
import { migration as usageWriters } from './010-usage-writers.ts'
import { migration as listClearing } from './011-list-clearing.ts'
import { migration as appraisals } from './012-appraisals.ts'
import { migration as feeds } from './013-feeds.ts'
import { migration as setupCodes } from './014-setup-codes.ts'
import { migration as keyRights } from './015-key-rights.ts'
import { migration as appraisalShares } from './016-appraisal-shares.ts'
import { migration as keyRestrictions } from './017-key-restrictions.ts'
import { migration as largeTables } from './018-large-tables.ts'
import { migration as events } from './019-events.ts'
import { migration as webhooks } from './020-webhooks.ts'
import { migration as secondFactors } from './021-second-factors.ts'
import { migration as requestLog } from './022-request-log.ts'
import { migration as uploads } from './023-uploads.ts'
import { migration as oldRows } from './024-old-rows.ts'
import { migration as appraisedDevices } from './025-appraised-devices.ts'
import { migration as monthlyPartitions } from './026-monthly-partitions.ts'
import { migration as publicNames } from './027-public-names.ts'
import { migration as newestObservations } from './029-newest-observations.ts'
import { migration as observationImports } from './030-observation-imports.ts'
import { migration as provenEmail } from './031-proven-email.ts'
import { migration as webhookQueue } from './032-webhook-queue.ts'
import { migration as eventIds } from './033-event-ids.ts'
import { migration as shareRetention } from './034-share-retention.ts'
import { migration as markets } from './037-markets.ts'
import { migration as ownPrices } from './038-own-prices.ts'
import { migration as replacedObservations } from './042-replaced-observations.ts'
import { migration as titleAliases } from './043-title-aliases.ts'
import { migration as tacConfirmations } from './044-tac-confirmations.ts'
import { migration as receiptDetails } from './045-receipt-details.ts'
import { migration as usageQuotas } from './047-usage-quotas.ts'
import { migration as appraisalOutcomes } from './048-appraisal-outcomes.ts'
import { migration as roles } from './050-roles.ts'
import { migration as languages } from './052-languages.ts'
import { migration as singleSignOn } from './055-single-sign-on.ts'
import { migration as enabledVariants } from './059-enabled-variants.ts'
import { migration as webhookClaims } from './062-webhook-claims.ts'
import { migration as learnedTacs } from './064-learned-tacs.ts'
import { migration as issuerSignOut } from './066-issuer-sign-out.ts'
import { migration as webhookQueueStorage } from './067-webhook-queue-storage.ts'
import { migration as shareTimeZone } from './069-share-time-zone.ts'
import { migration as plainNames } from './071-plain-names.ts'

export type DatabaseDialect = 'sqlite' | 'postgres'

/** One numbered step of the schema. It runs once, whole or not at all, in a transaction. */
export type Migration = {
  readonly name: string
  readonly up: (db: Kysely<unknown>, dialect: DatabaseDialect) => Promise<void>
}

/** In order. A landed migration is never changed; a later one corrects it. */
export const MIGRATIONS: readonly Migration[] = [
  foundation,
  lists,
  market,
  repairs,
  lookups,
  people,
  deviceChanges,
  signInAttempts,
  narrowObservations,
  usageWriters,
  listClearing,
  appraisals,
  feeds,
  setupCodes,
  keyRights,
  appraisalShares,
  keyRestrictions,
  largeTables,
  events,
  webhooks,
  secondFactors,
  requestLog,
  uploads,
  oldRows,
  appraisedDevices,
  monthlyPartitions,
  publicNames,
  newestObservations,
  observationImports,
  provenEmail,
  webhookQueue,
  eventIds,
  shareRetention,
  markets,
  ownPrices,
  replacedObservations,
  titleAliases,
  tacConfirmations,
  receiptDetails,
  usageQuotas,
  appraisalOutcomes,
  roles,
  languages,
  singleSignOn,
  enabledVariants,
  webhookClaims,
  learnedTacs,
  issuerSignOut,
  webhookQueueStorage,
  shareTimeZone,
  plainNames,
]
