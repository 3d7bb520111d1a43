import { deviceIdFor } from '../catalog/device.ts'
import { type Identifier, isCheckDigitValid } from '../identifier/identifier.ts'
import type { DecodedSerial } from '../identifier/serial-number.ts'

/** A source's statement about a TAC. */
export type TacEntry = {
  readonly tac: string
  /** The matching device of the registry, if any. */
  readonly deviceId: string | null
  readonly deviceName: string | null
  readonly make: string
  readonly model: string
  readonly source: string
  /** Trust in the source, 0–100. */
  readonly confidence: number
}

export type DeviceMatch = {
  readonly confidence: number
  readonly deviceId: string | null
  readonly deviceName: string | null
}

export const NO_MATCH: DeviceMatch = { confidence: 0, deviceId: null, deviceName: null }

/** A TAC is never certain: lists contain mistakes, and one code may cover several models. */
const MAX_CONFIDENCE = 95
/** Six-digit codes were shared by several plants, and lists of that time are unreliable. */
const LEGACY_TAC_FACTOR = 0.6
/** With a wrong check digit any digit may be wrong, including the TAC. */
const WRONG_CHECK_DIGIT_FACTOR = 0.7

type Candidate = { readonly id: string; deviceId: string | null; deviceName: string; doubt: number }

/**
 * The most likely device of a TAC. Agreement between sources raises the confidence of a candidate, each further candidate
 * lowers it: with two equally likely ones it is at most one half. A TAC of a device outside the registry returns the list's
 * own text without an id.
 */
export function matchByTac(
  identifier: Identifier,
  tacEntries: readonly TacEntry[],
  legacyTacEntries: readonly TacEntry[],
): DeviceMatch {
  const legacy = tacEntries.length === 0
  const candidates = rankCandidates(legacy ? legacyTacEntries : tacEntries)
  const [best] = candidates
  if (!best) return NO_MATCH
  const total = candidates.reduce((sum, candidate) => sum + candidateConfidence(candidate), 0)
  const share = candidateConfidence(best) / total
  const bestConfidence =
    candidateConfidence(best) *
    share *
    (legacy ? LEGACY_TAC_FACTOR : 1) *
    (isCheckDigitValid(identifier) ? 1 : WRONG_CHECK_DIGIT_FACTOR)
  const confidence = Math.min(MAX_CONFIDENCE, Math.round(bestConfidence * 100))
  if (confidence === 0) return NO_MATCH
  return { confidence, deviceId: best.deviceId, deviceName: best.deviceName }
}

function candidateConfidence({ doubt }: Candidate): number {
  return 1 - doubt
}

/** By confidence, then by name, so that the result is deterministic. */
function rankCandidates(entries: readonly TacEntry[]): Candidate[] {
  const byId = Map.groupBy(entries, (entry) => entry.deviceId ?? deviceIdFor(entry.make, entry.model))
  const candidates = [...byId].map(([id, statements]): Candidate => {
    const identified = statements.findLast((entry) => entry.deviceId !== null && entry.deviceName !== null)
    const [first] = statements
    return {
      id,
      deviceId: identified?.deviceId ?? null,
      deviceName: identified?.deviceName ?? (first ? entryName(first) : id),
      doubt: remainingDoubt(statements),
    }
  })
  return candidates.sort(
    (left, right) => left.doubt - right.doubt || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0),
  )
}

/** Combined doubt of independent sources. Two statements from the same list count once, with the higher confidence. */
function remainingDoubt(entries: readonly TacEntry[]): number {
  const independentSources: { lists: Set<string>; trust: number }[] = []
  for (const { source, confidence } of entries) {
    const lists = new Set(listsOfSource(source))
    let trust = Math.min(100, Math.max(0, confidence)) / 100
    for (const overlapping of independentSources.filter((other) => !other.lists.isDisjointFrom(lists))) {
      for (const list of overlapping.lists) lists.add(list)
      trust = Math.max(trust, overlapping.trust)
      independentSources.splice(independentSources.indexOf(overlapping), 1)
    }
    independentSources.push({ lists, trust })
  }
  return independentSources.reduce((doubt, { trust }) => doubt * (1 - trust), 1)
}

/** Bundled data lists its sources: `bundled:osmocom+samsung-tac`. */
function listsOfSource(source: string): readonly string[] {
  return source.slice(source.indexOf(':') + 1).split('+')
}

function entryName({ make, model }: TacEntry): string {
  return model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`.trim()
}

/** Apple's configuration codes with a published decoding. Few on purpose: each needs a source. */
const CONFIGURATIONS: Readonly<Record<string, { deviceId: string; source: string }>> = {
  DPNG: { deviceId: 'apple-iphone-4', source: 'Reincubate' },
  G5QY: { deviceId: 'apple-iphone-6-plus', source: '3023data' },
}
const CONFIGURATION_CONFIDENCE = 60

export function hintedDeviceIds(decodedSerials: readonly DecodedSerial[]): readonly string[] {
  return decodedSerials.flatMap(({ configuration }) => CONFIGURATIONS[configuration ?? '']?.deviceId ?? [])
}

export type HintedDevice = { readonly id: string; readonly name: string; readonly releasedOn: string | null }

/** A hint counts only if the device was on sale when the serial number says it was made. */
export function matchBySerial(decodedSerials: readonly DecodedSerial[], devices: readonly HintedDevice[]): DeviceMatch {
  for (const decoded of decodedSerials) {
    const hint = CONFIGURATIONS[decoded.configuration ?? '']
    const device = devices.find(({ id }) => id === hint?.deviceId)
    const latestManufacture = decoded.manufacturedOn.at(-1) ?? ''
    if (device && (device.releasedOn === null || latestManufacture >= device.releasedOn)) {
      return { confidence: CONFIGURATION_CONFIDENCE, deviceId: device.id, deviceName: device.name }
    }
  }
  return NO_MATCH
}
