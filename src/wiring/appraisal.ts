import { appraisalIds } from '../appraisal/appraisal-id.ts'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import { openAppraisals, type ResolveText } from '../appraisal/appraisals.ts'
import { openPolicies } from '../appraisal/policies.ts'
import { policyStore } from '../appraisal/policy-store.ts'
import { openValuation } from '../appraisal/valuation.ts'
import type { Catalogue } from '../catalog/catalogue.ts'
import type { Config } from '../config.ts'
import type { Rates } from '../currency/rates.ts'
import type { Database } from '../db/open.ts'
import type { DurableAnswers } from '../durable/durable-answers.ts'
import type { StoreFollower } from '../follow.ts'
import type { Quotes } from '../pricing/serve/quotes.ts'
import type { RepairAnswers } from '../repair/answers.ts'
import type { Matching } from '../resolver/matching.ts'
import type { Lookups } from '../risk/lookups.ts'

type Opening = {
  readonly db: Database
  readonly follow: StoreFollower
  readonly config: Config
  readonly catalogue: Catalogue
  readonly matching: Pick<Matching, 'match'>
  readonly quotes: Pick<Quotes<unknown>, 'worthOf'>
  readonly repairs: Pick<RepairAnswers<unknown>, 'knownOf'>
  readonly lookups: Lookups
  readonly rates: Rates
  readonly answers: DurableAnswers
}

/** Appraisals: the four answers of the service joined, and the records that are written of every one. */
export async function openAppraisal(opening: Opening) {
  const { db, follow, config, catalogue, matching, quotes, repairs, lookups, rates, answers } = opening
  const policies = await openPolicies({
    store: policyStore(db),
    labourCentsPerHour: config.labourCentsPerHour,
    follow: follow('policies', 'access'),
  })
  const appraisals = openAppraisals({
    registry: () => catalogue.snapshot(),
    resolveText: resolveBy(matching),
    lookups,
    valuation: openValuation({ worthOf: quotes.worthOf, repairsOf: repairs.knownOf }),
    policies,
    rates,
    store: appraisalStore(db),
    answers,
    nextId: appraisalIds((limit) => Math.floor(Math.random() * limit)),
  })
  return { appraisals, close: policies.close }
}

/** A title through the same matching as everywhere; what the caller says beside it counts like words of it. */
function resolveBy(matching: Pick<Matching, 'match'>): ResolveText {
  return async (text, attributes) => {
    const { storage, ram, color } = attributes
    const found = await matching.match({ text, storage: storage ?? null, ram: ram ?? null, color: color ?? null })
    const { device, variants, confidence, candidates } = found
    return { device, variants, confidence, candidates: device ? [] : candidates }
  }
}
