import { conflict } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import type { RiskAssessment } from './present.ts'
import { compareFactors } from './risk-factors.ts'
import { makeFactor, type RiskFactor } from './risk-score.ts'
import type { CombinedFacts } from './source-facts.ts'

/** Below this the model of an IMEI is a guess. */
const MIN_CONFLICTING_CONFIDENCE = 50

/** One assessment of a device with two IMEIs: the worse status counts, and only what both have is clean. */
export function mergeAssessments(first: RiskAssessment, second: RiskAssessment, field: string): RiskAssessment {
  requireOneDevice(first, second, field)
  const combined = mergeFacts(first.combined, second.combined)
  const factors = new Map<string, RiskFactor>(first.factors.map((factor) => [factor.code, factor]))
  for (const factor of second.factors) {
    if (!factors.has(factor.code)) factors.set(factor.code, { ...factor, message: `Second IMEI: ${factor.message}` })
  }
  // A status that is clean for one IMEI and unknown for the other is unknown.
  if (combined.blacklist === 'unknown' && !factors.has('blacklist_unverified')) {
    factors.set('blacklist_unverified', makeFactor('blacklist_unverified'))
  }
  const { match } = first.match.deviceId === null && second.match.deviceId !== null ? second : first
  return { ...first, match, combined, factors: [...factors.values()].sort(compareFactors) }
}

function requireOneDevice({ match: first }: RiskAssessment, { match: second }: RiskAssessment, field: string): void {
  if (first.deviceId === null || second.deviceId === null || first.deviceId === second.deviceId) return
  if (Math.min(first.confidence, second.confidence) < MIN_CONFLICTING_CONFIDENCE) return
  const message = `The two IMEIs belong to different devices, ${first.deviceName} and ${second.deviceName}. Send each on its own.`
  throw conflict(
    field,
    message,
    reason('two_imeis_two_devices', { first: first.deviceName ?? '', second: second.deviceName ?? '' }),
  )
}

function mergeFacts(first: CombinedFacts, second: CombinedFacts): CombinedFacts {
  const worse = <Status extends string>(worstFirst: readonly Status[], statuses: readonly [Status, Status]): Status =>
    worstFirst.find((status) => statuses.includes(status)) ?? statuses[0]
  const blacklist = worse(['blacklisted', 'pending', 'unknown', 'clean'], [first.blacklist, second.blacklist])
  const gsma = worse(['blacklisted', 'unknown', 'clean'], [first.gsma, second.gsma])
  const ctia = worse(['lost_stolen', 'unknown', 'clean'], [first.ctia, second.ctia])
  const isClean = [blacklist, gsma, ctia].includes('clean')
  const older = (second.ageMinutes ?? -1) > (first.ageMinutes ?? -1) ? second : first
  return {
    blacklist,
    gsma,
    ctia,
    carrierLock: worse(['locked', 'unknown', 'unlocked'], [first.carrierLock, second.carrierLock]),
    carrierName: first.carrierName ?? second.carrierName,
    clearedBy: isClean ? uniqueBy([...first.clearedBy, ...second.clearedBy], JSON.stringify) : [],
    evidence: [...first.evidence, ...second.evidence],
    findings: uniqueBy([...first.findings, ...second.findings], ({ code }) => code),
    unavailableSources: [...new Set([...first.unavailableSources, ...second.unavailableSources])],
    source: mergeSources(first.source, second.source),
    freshness: [first.freshness, second.freshness].includes('stale') ? 'stale' : older.freshness,
    ageMinutes: older.ageMinutes,
  }
}

/** Names joined by `+`; `none` only if neither has one. */
function mergeSources(first: string, second: string): string {
  const names = [first, second].flatMap((source) => source.split('+')).filter((name) => name !== 'none')
  return names.length === 0 ? 'none' : [...new Set(names)].join('+')
}

function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item] as const).reverse()).values()].reverse()
}
