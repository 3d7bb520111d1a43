import type { Answered } from './facts.ts'
import { isDigits } from './identifier/check-digit.ts'
import { checkDigitHolds, type Identifier } from './identifier/identifier.ts'
import { imeiParts } from './identifier/imei.ts'
import { likelyMeant, type Suggestion } from './identifier/likely-meant.ts'
import { allocationLagDays } from './identifier/reporting-body.ts'
import { readSerial } from './identifier/serial-reading.ts'
import { inBatches } from './in-batches.ts'
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

export async function openKnowledge(store: KnowledgeStore, failed: (error: unknown) => void): Promise<Knowledge> {
  let lists: readonly ImportedList[] = await store.lists()
  let barsTacs = lists.some(({ kind }) => kind === 'barred_tac')
  let tacListIsComplete = await store.hasCompleteTacList()
  const tacsKept = new Map<string, readonly TacEntry[]>()
  const listingsOf = inBatches(store.listings, MOST_KEYS)
  const loadTac = inBatches(store.tacs, MOST_KEYS)

  const stopLists = store.onListsChange(() => {
    store.lists().then((read) => {
      lists = read
      barsTacs = lists.some(({ kind }) => kind === 'barred_tac')
    }, failed)
  })
  const stopCatalogue = store.onCatalogueChange(() => {
    tacsKept.clear()
    store.hasCompleteTacList().then((complete) => {
      tacListIsComplete = complete
    }, failed)
  })

  async function tacEntries(tac: string): Promise<readonly TacEntry[]> {
    const kept = tacsKept.get(tac)
    if (kept) return kept
    const entries = (await loadTac(tac)) ?? NO_ENTRIES
    // All at once is rare and simple: the next lookups fill it again.
    if (tacsKept.size >= MOST_TACS) tacsKept.clear()
    tacsKept.set(tac, entries)
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
    if (checkDigitHolds(identifier)) return []
    const asked = new Set<string>()
    likelyMeant(identifier, (tac) => {
      asked.add(tac)
      return false
    })
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
      registry: registryAnswer(identifier, listed, lists),
      match: matchByTac(identifier, entries, legacyEntries),
      tac: {
        known,
        listIsComplete: tacListIsComplete,
        firstSeenAt: mayBeOverdue ? await store.firstSeen(tac, now) : null,
      },
      suggestions: checkDigitHolds(identifier) ? [] : await suggestionsFor(identifier),
      serialIsRandom: false,
    }
  }

  async function ofSerial(identifier: Identifier, now: number): Promise<Known> {
    const { readings, nothingBecause } = readSerial(identifier.key, new Date(now).toISOString().slice(0, 10))
    const hinted = devicesHinted(readings)
    const devices = hinted.length === 0 ? [] : await store.devices(hinted)
    return {
      registry: registryAnswer(identifier, await listings(identifier), lists),
      match: matchBySerial(readings, devices),
      tac: TAC_KNOWN,
      suggestions: [],
      serialIsRandom: nothingBecause === 'randomised_serial',
    }
  }

  async function ofOther(identifier: Identifier): Promise<Known> {
    return {
      registry: registryAnswer(identifier, await listings(identifier), lists),
      match: NO_MATCH,
      tac: TAC_KNOWN,
      suggestions: await suggestionsFor(identifier),
      serialIsRandom: false,
    }
  }

  return {
    about(identifier, now) {
      if (identifier.type === 'serial') return ofSerial(identifier, now)
      // A MEID of decimal digits alone is an IMEI's 14 digits, TAC and all.
      const hasTac = identifier.type === 'imei' || (identifier.type === 'meid' && isDigits(identifier.key))
      return hasTac ? ofImei(identifier, now) : ofOther(identifier)
    },
    close() {
      stopLists()
      stopCatalogue()
    },
  }
}
