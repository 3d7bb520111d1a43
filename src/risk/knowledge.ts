import { inBatches } from '../durable/in-batches.ts'
import type { Follow } from '../follow.ts'
import { dayOf } from '../time.ts'
import type { Answered } from './facts.ts'
import { isDigits } from './identifier/check-digit.ts'
import type { Identifier } from './identifier/identifier.ts'
import { imeiParts } from './identifier/imei.ts'
import { likelyMeant, type Suggestion } from './identifier/likely-meant.ts'
import { allocationLagDays } from './identifier/reporting-body.ts'
import { readSerial, type SerialReading } from './identifier/serial-reading.ts'
import type { KnowledgeStore } from './knowledge-store.ts'
import { type DeviceMatch, devicesHinted, matchBySerial, matchByTac, NO_MATCH, type TacEntry } from './match.ts'
import type { TacStanding } from './score.ts'
import { type ImportedList, type Listing, registryAnswer } from './sources/registry-source.ts'

/** What the store knows about one identifier, read for a whole group of lookups at once. */
export type Known = {
  readonly registry: Answered | null
  readonly match: DeviceMatch
  readonly tac: TacStanding
  readonly suggestions: readonly Suggestion[]
  readonly serialIsRandom: boolean
  readonly readings: readonly SerialReading[]
}

export type Knowledge = {
  readonly about: (identifier: Identifier, now: number) => Promise<Known>
  readonly close: () => void
}

const MOST_KEYS = 512
const MOST_TACS = 20_000
const NO_LISTINGS: readonly Listing[] = []
const NO_ENTRIES: readonly TacEntry[] = []
/** Nothing to know about a TAC where there is none. */
const TAC_KNOWN: TacStanding = { known: true, listIsComplete: false, firstSeenAt: null }

/** What is asked of the store. */
export type KnowledgeSource = Pick<
  KnowledgeStore,
  'lists' | 'listings' | 'tacs' | 'hasCompleteTacList' | 'devices' | 'firstSeen'
>

export type KnowledgeFollowing = { readonly followLists: Follow; readonly followTacs: Follow }

export async function openKnowledge(
  store: KnowledgeSource,
  { followLists, followTacs }: KnowledgeFollowing,
): Promise<Knowledge> {
  let lists: readonly ImportedList[] = []
  let barsTacs = false
  let tacListIsComplete = false
  let tacsKept = new Map<string, readonly TacEntry[]>()
  const listingsOf = inBatches(store.listings, MOST_KEYS)
  const loadTac = inBatches(store.tacs, MOST_KEYS)

  async function readLists(): Promise<void> {
    lists = await store.lists()
    barsTacs = lists.some(({ kind }) => kind === 'barred_tac')
  }

  async function readTacs(): Promise<void> {
    // A new map, not an emptied one: a read that began before the change puts what it brings into the old one.
    tacsKept = new Map()
    tacListIsComplete = await store.hasCompleteTacList()
  }

  const followings = [followLists(readLists), followTacs(readTacs)]
  await Promise.all(followings.map(({ refresh }) => refresh()))

  async function tacEntries(tac: string): Promise<readonly TacEntry[]> {
    const current = tacsKept
    const kept = current.get(tac)
    if (kept) return kept
    const entries = (await loadTac(tac)) ?? NO_ENTRIES
    // All at once is rare and simple: the next lookups fill it again.
    if (current.size >= MOST_TACS) current.clear()
    current.set(tac, entries)
    return entries
  }

  /** An 8-character key of a list may be an ESN; only a barred TAC speaks for a TAC, and for nothing else. */
  async function listings(identifier: Identifier): Promise<readonly Listing[]> {
    if (lists.length === 0) return NO_LISTINGS
    const key = identifier.key.slice(0, 14)
    if (!barsTacs) return (await listingsOf(key)) ?? NO_LISTINGS
    const hasTac = isDigits(key) && key.length === 14
    const [own, ofTac] = await Promise.all([listingsOf(key), hasTac ? listingsOf(key.slice(0, 8)) : undefined])
    if (!own && !ofTac) return NO_LISTINGS
    return [
      ...(own ?? []).filter(({ kind }) => kind !== 'barred_tac'),
      ...(ofTac ?? []).filter(({ kind }) => kind === 'barred_tac'),
    ]
  }

  async function suggestionsFor(identifier: Identifier): Promise<readonly Suggestion[]> {
    const asked = new Set<string>()
    const unasked = likelyMeant(identifier, (tac) => {
      asked.add(tac)
      return false
    })
    if (asked.size === 0) return unasked
    const known = new Set<string>()
    await Promise.all([...asked].map(async (tac) => (await tacEntries(tac)).length > 0 && known.add(tac)))
    return likelyMeant(identifier, (tac) => known.has(tac))
  }

  async function ofImei(identifier: Identifier, now: number): Promise<Known> {
    const { tac, legacyTac } = imeiParts(identifier.key)
    const [listed, entries, legacyEntries] = await Promise.all([
      listings(identifier),
      tacsKept.get(tac) ?? tacEntries(tac),
      tacsKept.get(legacyTac) ?? tacEntries(legacyTac),
    ])
    const known = entries.length > 0 || legacyEntries.length > 0
    const mayBeOverdue = !known && tacListIsComplete && allocationLagDays(identifier.key) !== null
    return {
      registry: registryAnswer(identifier, listed, lists, now),
      match: matchByTac(identifier, entries, legacyEntries),
      tac: {
        known,
        listIsComplete: tacListIsComplete,
        firstSeenAt: mayBeOverdue ? await store.firstSeen(tac, now) : null,
      },
      suggestions: await suggestionsFor(identifier),
      serialIsRandom: false,
      readings: [],
    }
  }

  async function ofSerial(identifier: Identifier, now: number): Promise<Known> {
    const { readings, nothingBecause } = readSerial(identifier.key, dayOf(now))
    const hinted = devicesHinted(readings)
    const devices = hinted.length === 0 ? [] : await store.devices(hinted)
    return {
      registry: registryAnswer(identifier, await listings(identifier), lists, now),
      match: matchBySerial(readings, devices),
      tac: TAC_KNOWN,
      suggestions: await suggestionsFor(identifier),
      serialIsRandom: nothingBecause === 'randomised_serial',
      readings,
    }
  }

  async function ofOther(identifier: Identifier, now: number): Promise<Known> {
    return {
      registry: registryAnswer(identifier, await listings(identifier), lists, now),
      match: NO_MATCH,
      tac: TAC_KNOWN,
      suggestions: await suggestionsFor(identifier),
      serialIsRandom: false,
      readings: [],
    }
  }

  return {
    about(identifier, now) {
      if (identifier.type === 'serial') return ofSerial(identifier, now)
      // A MEID of decimal digits alone is an IMEI's 14 digits, TAC and all.
      const hasTac = identifier.type === 'imei' || (identifier.type === 'meid' && isDigits(identifier.key))
      return hasTac ? ofImei(identifier, now) : ofOther(identifier, now)
    },
    close() {
      for (const following of followings) following.close()
    },
  }
}
