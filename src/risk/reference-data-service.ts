import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { batchLoader } from '../lib/batch-loader.ts'
import { dayOf } from '../lib/time.ts'
import {
  type DeviceMatch,
  hintedDeviceIds,
  matchBySerial,
  matchByTac,
  NO_MATCH,
  type TacEntry,
} from './device-match.ts'
import { isDigits } from './identifier/check-digit.ts'
import type { Identifier } from './identifier/identifier.ts'
import { type IdentifierSuggestion, suggestIdentifiers } from './identifier/identifier-suggestions.ts'
import { splitImei } from './identifier/imei.ts'
import { allocationLagDays } from './identifier/reporting-body.ts'
import { type DecodedSerial, decodeSerial } from './identifier/serial-number.ts'
import type { ReferenceDataStore } from './reference-data-store.ts'
import type { TacStatus } from './risk-score.ts'
import type { SourceResponse } from './source-facts.ts'
import { checkImportedLists, type ImportedList, type ListedIdentifier } from './sources/imported-lists-source.ts'
import { confirmedModels, type TacConfirmation } from './tac-confirmation.ts'
import type { TacConfirmationStore } from './tac-confirmation-store.ts'

/** Facts from the database about one identifier, read for a group of lookups at once. */
export type ReferenceFacts = {
  readonly importedLists: SourceResponse | null
  readonly match: DeviceMatch
  readonly tac: TacStatus
  readonly suggestions: readonly IdentifierSuggestion[]
  readonly isSerialRandomised: boolean
  readonly decodedSerials: readonly DecodedSerial[]
  /** Models that people confirmed for the TAC. */
  readonly confirmations: readonly TacConfirmation[]
}

export type ReferenceData = {
  /** Confirmed models count for the organization as `confirmedModels` tells. */
  readonly lookUp: (identifier: Identifier, now: number, organizationId?: string) => Promise<ReferenceFacts>
  /** Call after writing a confirmation of the TAC. */
  readonly onConfirmed: (tac: string) => void
  readonly close: () => void
}

const MAX_KEYS_PER_QUERY = 512
const MAX_CACHED_TACS = 20_000
const NO_LISTINGS: readonly ListedIdentifier[] = []
const NO_ENTRIES: readonly TacEntry[] = []
const NO_CONFIRMATIONS: readonly TacConfirmation[] = []
/** Confirmations made by other processes count after this time. */
const CONFIRMATIONS_TTL_MS = 5_000
/** Nothing to know about a TAC where there is none. */
const TAC_NOT_APPLICABLE: TacStatus = { isListed: true, isListComplete: false, firstSeenAt: null }

export type ReferenceDataReader = Pick<
  ReferenceDataStore,
  'lists' | 'listings' | 'tacs' | 'hasCompleteTacList' | 'devices' | 'firstSeen'
> &
  Partial<Pick<TacConfirmationStore, 'confirmations'>>

export type ReferenceDataReloads = { readonly reloadLists: ReloadOnChange; readonly reloadTacs: ReloadOnChange }

export async function openReferenceData(
  store: ReferenceDataReader,
  { reloadLists: followLists, reloadTacs: followTacs }: ReferenceDataReloads,
): Promise<ReferenceData> {
  let lists: readonly ImportedList[] = []
  let barsTacs = false
  let tacListIsComplete = false
  let tacsKept = new Map<string, readonly TacEntry[]>()
  const listingsOf = batchLoader(store.listings, MAX_KEYS_PER_QUERY)
  const loadTac = batchLoader(store.tacs, MAX_KEYS_PER_QUERY)
  const loadConfirmations = store.confirmations && batchLoader(store.confirmations, MAX_KEYS_PER_QUERY)
  const confirmationCache = new Map<string, { readonly rows: readonly TacConfirmation[]; readonly readAt: number }>()

  async function readLists(): Promise<void> {
    lists = await store.lists()
    barsTacs = lists.some(({ kind }) => kind === 'barred_tac')
  }

  async function readTacs(): Promise<void> {
    // A new map: a read that started before the change fills the old one.
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
    // Rare: clears the whole cache, which the next lookups fill again.
    if (current.size >= MAX_CACHED_TACS) current.clear()
    current.set(tac, entries)
    return entries
  }

  async function confirmationsOf(tac: string, now: number): Promise<readonly TacConfirmation[]> {
    const cached = confirmationCache.get(tac)
    if (cached && Math.abs(now - cached.readAt) < CONFIRMATIONS_TTL_MS) return cached.rows
    const rows = (await loadConfirmations?.(tac)) ?? NO_CONFIRMATIONS
    if (confirmationCache.size >= MAX_CACHED_TACS) confirmationCache.clear()
    confirmationCache.set(tac, { rows, readAt: now })
    return rows
  }

  /** An 8-character key of a list may be an ESN; only a barred TAC speaks for a TAC, and for nothing else. */
  async function listings(identifier: Identifier): Promise<readonly ListedIdentifier[]> {
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

  async function suggestionsFor(identifier: Identifier): Promise<readonly IdentifierSuggestion[]> {
    const asked = new Set<string>()
    const unasked = suggestIdentifiers(identifier, (tac) => {
      asked.add(tac)
      return false
    })
    if (asked.size === 0) return unasked
    const known = new Set<string>()
    await Promise.all([...asked].map(async (tac) => (await tacEntries(tac)).length > 0 && known.add(tac)))
    return suggestIdentifiers(identifier, (tac) => known.has(tac))
  }

  async function ofImei(
    identifier: Identifier,
    now: number,
    organizationId: string | undefined,
  ): Promise<ReferenceFacts> {
    const { tac, legacyTac } = splitImei(identifier.key)
    const [listed, entries, legacyEntries, confirmations] = await Promise.all([
      listings(identifier),
      tacsKept.get(tac) ?? tacEntries(tac),
      tacsKept.get(legacyTac) ?? tacEntries(legacyTac),
      confirmationsOf(tac, now),
    ])
    const confirmed = confirmations.length === 0 ? [] : confirmedModels(tac, confirmations, organizationId)
    const ownEntries = confirmed.length === 0 ? entries : [...entries, ...confirmed.map(({ entry }) => entry)]
    const known = ownEntries.length > 0 || legacyEntries.length > 0
    const mayBeOverdue = !known && tacListIsComplete && allocationLagDays(identifier.key) !== null
    return {
      importedLists: checkImportedLists(identifier, listed, lists, now),
      match: matchByTac(identifier, ownEntries, legacyEntries),
      tac: {
        isListed: known,
        isListComplete: tacListIsComplete,
        firstSeenAt: mayBeOverdue ? await store.firstSeen(tac, now) : null,
        ...(confirmed.length > 0 && { confirmations: confirmed.map(({ evidence }) => evidence) }),
      },
      suggestions: await suggestionsFor(identifier),
      isSerialRandomised: false,
      decodedSerials: [],
      confirmations,
    }
  }

  async function ofSerial(identifier: Identifier, now: number): Promise<ReferenceFacts> {
    const { decodedSerials: readings, undecodedReason: nothingBecause } = decodeSerial(identifier.key, dayOf(now))
    const hinted = hintedDeviceIds(readings)
    const devices = hinted.length === 0 ? [] : await store.devices(hinted)
    return {
      importedLists: checkImportedLists(identifier, await listings(identifier), lists, now),
      match: matchBySerial(readings, devices),
      tac: TAC_NOT_APPLICABLE,
      suggestions: await suggestionsFor(identifier),
      isSerialRandomised: nothingBecause === 'randomised_serial',
      decodedSerials: readings,
      confirmations: NO_CONFIRMATIONS,
    }
  }

  async function ofOther(identifier: Identifier, now: number): Promise<ReferenceFacts> {
    return {
      importedLists: checkImportedLists(identifier, await listings(identifier), lists, now),
      match: NO_MATCH,
      tac: TAC_NOT_APPLICABLE,
      suggestions: await suggestionsFor(identifier),
      isSerialRandomised: false,
      decodedSerials: [],
      confirmations: NO_CONFIRMATIONS,
    }
  }

  return {
    lookUp(identifier, now, organizationId) {
      if (identifier.type === 'serial') return ofSerial(identifier, now)
      // A MEID with decimal digits only is the 14 digits of an IMEI, including the TAC.
      const hasTac = identifier.type === 'imei' || (identifier.type === 'meid' && isDigits(identifier.key))
      return hasTac ? ofImei(identifier, now, organizationId) : ofOther(identifier, now)
    },
    onConfirmed: (tac) => void confirmationCache.delete(tac),
    close() {
      for (const following of followings) following.close()
    },
  }
}
