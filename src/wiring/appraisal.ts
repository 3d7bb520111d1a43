import { appraisalIds } from '../appraisal/appraisal-id.ts'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import { openAppraisals, type ResolveText } from '../appraisal/appraisals.ts'
import { openPolicies } from '../appraisal/policies.ts'
import { policyStore } from '../appraisal/policy-store.ts'
import { openValuation } from '../appraisal/valuation.ts'
import type { Catalogue } from '../catalog/catalogue.ts'
import { readTerm } from '../catalog/words.ts'
import type { Config } from '../config.ts'
import type { Rates } from '../currency/rates.ts'
import type { Database } from '../db/open.ts'
import type { DurableAnswers } from '../durable/durable-answers.ts'
import type { StoreFollower } from '../follow.ts'
import type { Quotes } from '../pricing/serve/quotes.ts'
import type { RepairAnswers } from '../repair/answers.ts'
import type { Lookups } from '../risk/lookups.ts'

type Opening = {
  readonly db: Database
  readonly follow: StoreFollower
  readonly config: Config
  readonly catalogue: Catalogue
  readonly quotes: Pick<Quotes<unknown>, 'worthOf'>
  readonly repairs: Pick<RepairAnswers<unknown>, 'knownOf'>
  readonly lookups: Lookups
  readonly rates: Rates
  readonly answers: DurableAnswers
}

/** Appraisals: the four answers of the service joined, and the records that are written of every one. */
export async function openAppraisal(opening: Opening) {
  const { db, follow, config, catalogue, quotes, repairs, lookups, rates, answers } = opening
  const policies = await openPolicies({
    store: policyStore(db),
    labourCentsPerHour: config.labourCentsPerHour,
    follow: follow('policies', 'access'),
  })
  const appraisals = openAppraisals({
    registry: () => catalogue.snapshot(),
    resolveText: resolveByRegistry(catalogue),
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

const MOST_CANDIDATES = 10

/** A code names its device; words only tell what it could be. */
function resolveByRegistry(catalogue: Catalogue): ResolveText {
  return (text) => {
    const snapshot = catalogue.snapshot()
    const [device, ...others] = snapshot.devicesByCode(text)
    if (device && others.length === 0) {
      const places = [...snapshot.variantsByCode(text)]
      const variants = places.flatMap((place) => snapshot.variants[place]?.variant ?? [])
      return { device, variants, confidence: 99, candidates: [] }
    }
    const term = readTerm(text)
    const places = term ? [...snapshot.searchDevices(term)].slice(0, MOST_CANDIDATES) : []
    const candidates = places.flatMap((place) => {
      const found = snapshot.devices[place]?.device
      return found ? [{ device: found, variant: null, confidence: Math.floor(60 / places.length) }] : []
    })
    return { device: null, variants: [], confidence: 0, candidates }
  }
}
