import { deviceIdFor } from '../catalog/device.ts'
import { type Identifier, isCheckDigitValid } from './identifier/identifier.ts'
import type { DecodedSerial } from './identifier/serial-number.ts'

/** What one source says a TAC was allocated to. */
export type TacEntry = {
  readonly tac: string
  /** The device of the registry, where the source's words were recognised as one. */
  readonly deviceId: string | null
  readonly deviceName: string | null
  readonly make: string
  readonly model: string
  readonly source: string
  /** 0–100: how far the source is believed. */
  readonly confidence: number
}

export type DeviceMatch = {
  readonly confidence: number
  readonly deviceId: string | null
  readonly deviceName: string | null
}

export const NO_MATCH: DeviceMatch = { confidence: 0, deviceId: null, deviceName: null }

/** A TAC is never certain: lists carry mistakes, and one code may cover several models. */
const MAX_CONFIDENCE = 95
/** Six digits were shared by the plants of one type, and the lists of that time are the least kept. */
const LEGACY_TAC_FACTOR = 0.6
/** With a wrong check digit any digit may be wrong, those of the TAC among them. */
const WRONG_CHECK_DIGIT_FACTOR = 0.7

type Candidate = { readonly id: string; deviceId: string | null; deviceName: string; doubt: number }

/**
 * The likeliest device among those the TAC was allocated to. Agreement between sources makes a candidate surer, every
 * further candidate less so: with two equally likely ones the confidence is at most one half. A TAC that is listed for
 * a device outside the registry gives the list's own words and no id.
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
  const believed =
    candidateConfidence(best) *
    share *
    (legacy ? LEGACY_TAC_FACTOR : 1) *
    (isCheckDigitValid(identifier) ? 1 : WRONG_CHECK_DIGIT_FACTOR)
  const confidence = Math.min(MAX_CONFIDENCE, Math.round(believed * 100))
  if (confidence === 0) return NO_MATCH
  return { confidence, deviceId: best.deviceId, deviceName: best.deviceName }
}

function candidateConfidence({ doubt }: Candidate): number {
  return 1 - doubt
}

/** Surest first, equal ones by name, so that the same lists always give the same answer. */
function rankCandidates(entries: readonly TacEntry[]): Candidate[] {
  const byId = Map.groupBy(entries, (entry) => entry.deviceId ?? deviceIdFor(entry.make, entry.model))
  const candidates = [...byId].map(([id, said]): Candidate => {
    const known = said.findLast((entry) => entry.deviceId !== null && entry.deviceName !== null)
    const [first] = said
    return {
      id,
      deviceId: known?.deviceId ?? null,
      deviceName: known?.deviceName ?? (first ? entryName(first) : id),
      doubt: remainingDoubt(said),
    }
  })
  return candidates.sort(
    (left, right) => left.doubt - right.doubt || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0),
  )
}

/**
 * What doubt is left after everybody was heard. Two who have it from the same list are one witness, and a witness who
 * repeats himself does not become more credible: the best word of each counts once.
 */
function remainingDoubt(entries: readonly TacEntry[]): number {
  const witnesses: { lists: Set<string>; believed: number }[] = []
  for (const { source, confidence } of entries) {
    const lists = new Set(listsOfSource(source))
    let believed = Math.min(100, Math.max(0, confidence)) / 100
    for (const same of witnesses.filter((witness) => !witness.lists.isDisjointFrom(lists))) {
      for (const list of same.lists) lists.add(list)
      believed = Math.max(believed, same.believed)
      witnesses.splice(witnesses.indexOf(same), 1)
    }
    witnesses.push({ lists, believed })
  }
  return witnesses.reduce((doubt, { believed }) => doubt * (1 - believed), 1)
}

/** Bundled data names the lists it comes from: `on-board:osmocom+samsung-tac`. */
function listsOfSource(source: string): readonly string[] {
  return source.slice(source.indexOf(':') + 1).split('+')
}

function entryName({ make, model }: TacEntry): string {
  return model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`.trim()
}

/**
 * Apple's configuration codes that published decodings name. Few on purpose: a code without a source is not in here.
 */
const CONFIGURATIONS: Readonly<Record<string, { deviceId: string; source: string }>> = {
  DPNG: { deviceId: 'apple-iphone-4', source: 'Reincubate' },
  G5QY: { deviceId: 'apple-iphone-6-plus', source: '3023data' },
}
const CONFIGURATION_CONFIDENCE = 60

export function hintedDeviceIds(decodedSerials: readonly DecodedSerial[]): readonly string[] {
  return decodedSerials.flatMap(({ configuration }) => CONFIGURATIONS[configuration ?? '']?.deviceId ?? [])
}

export type HintedDevice = { readonly id: string; readonly name: string; readonly releasedOn: string | null }

/** A hint counts only if the device was on sale when the serial says it was made. */
export function matchBySerial(decodedSerials: readonly DecodedSerial[], devices: readonly HintedDevice[]): DeviceMatch {
  for (const reading of decodedSerials) {
    const hint = CONFIGURATIONS[reading.configuration ?? '']
    const device = devices.find(({ id }) => id === hint?.deviceId)
    const madeLast = reading.manufacturedOn.at(-1) ?? ''
    if (device && (device.releasedOn === null || madeLast >= device.releasedOn)) {
      return { confidence: CONFIGURATION_CONFIDENCE, deviceId: device.id, deviceName: device.name }
    }
  }
  return NO_MATCH
}
