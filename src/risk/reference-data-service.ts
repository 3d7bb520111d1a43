import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { isDigits } from '../identifier/check-digit.ts'
import type { Identifier } from '../identifier/identifier.ts'
import { type IdentifierSuggestion, suggestIdentifiers } from '../identifier/identifier-suggestions.ts'
import { splitImei } from '../identifier/imei.ts'
import { allocationLagDays } from '../identifier/reporting-body.ts'
import { type DecodedSerial, decodeSerial } from '../identifier/serial-number.ts'
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
  /** `confirmedModels` decides which confirmed models count for the organization. */
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
const UNKNOWN_DEVICE: Omit<ReferenceFacts, 'importedLists' | 'suggestions'> = {
  match: NO_MATCH,
  // An identifier without a TAC is not suspicious.
  tac: { isListed: true, isListComplete: false, firstSeenAt: null },
  isSerialRandomised: false,
  decodedSerials: [],
  confirmations: NO_CONFIRMATIONS,
}

export type ReferenceDataReader = Pick<
  ReferenceDataStore,
  'lists' | 'listings' | 'tacs' | 'hasCompleteTacList' | 'devices' | 'firstSeen'
> &
  Partial<Pick<TacConfirmationStore, 'confirmations'>>

export type ReferenceDataReloads = { readonly reloadLists: ReloadOnChange; readonly reloadTacs: ReloadOnChange }

export async function openReferenceData(
  store: ReferenceDataReader,
  { reloadLists, reloadTacs }: ReferenceDataReloads,
): Promise<ReferenceData> {
  let lists: readonly ImportedList[] = []
  let hasBarredTacs = false
  let isTacListComplete = false
  let tacCache = new Map<string, readonly TacEntry[]>()
  const loadListings = batchLoader(store.listings, MAX_KEYS_PER_QUERY)
  const loadTac = batchLoader(store.tacs, MAX_KEYS_PER_QUERY)
  const loadConfirmations = store.confirmations && batchLoader(store.confirmations, MAX_KEYS_PER_QUERY)
  const confirmationCache = new Map<string, { readonly rows: readonly TacConfirmation[]; readonly readAt: number }>()

  async function updateLists(): Promise<void> {
    lists = await store.lists()
    hasBarredTacs = lists.some(({ kind }) => kind === 'barred_tac')
  }

  async function updateTacs(): Promise<void> {
    // A new map: a read that started before the change fills the old one.
    tacCache = new Map()
    isTacListComplete = await store.hasCompleteTacList()
  }

  const reloaders = [reloadLists(updateLists), reloadTacs(updateTacs)]
  await Promise.all(reloaders.map(({ refresh }) => refresh()))

  async function findTacEntries(tac: string): Promise<readonly TacEntry[]> {
    const cache = tacCache
    const cached = cache.get(tac)
    if (cached) return cached
    const entries = (await loadTac(tac)) ?? NO_ENTRIES
    // Rare: clears the whole cache, which the next lookups fill again.
    if (cache.size >= MAX_CACHED_TACS) cache.clear()
    cache.set(tac, entries)
    return entries
  }

  async function findConfirmations(tac: string, now: number): Promise<readonly TacConfirmation[]> {
    const cached = confirmationCache.get(tac)
    if (cached && Math.abs(now - cached.readAt) < CONFIRMATIONS_TTL_MS) return cached.rows
    const rows = (await loadConfirmations?.(tac)) ?? NO_CONFIRMATIONS
    if (confirmationCache.size >= MAX_CACHED_TACS) confirmationCache.clear()
    confirmationCache.set(tac, { rows, readAt: now })
    return rows
  }

  /** An 8-character key of a list may be an ESN, so only entries of kind `barred_tac` apply to a TAC, and only to a TAC. */
  async function findListings(identifier: Identifier): Promise<readonly ListedIdentifier[]> {
    if (lists.length === 0) return NO_LISTINGS
    const key = identifier.key.slice(0, 14)
    if (!hasBarredTacs) return (await loadListings(key)) ?? NO_LISTINGS
    const hasTac = isDigits(key) && key.length === 14
    const [ofIdentifier, ofTac] = await Promise.all([
      loadListings(key),
      hasTac ? loadListings(key.slice(0, 8)) : undefined,
    ])
    if (!ofIdentifier && !ofTac) return NO_LISTINGS
    return [
      ...(ofIdentifier ?? []).filter(({ kind }) => kind !== 'barred_tac'),
      ...(ofTac ?? []).filter(({ kind }) => kind === 'barred_tac'),
    ]
  }

  async function suggest(identifier: Identifier): Promise<readonly IdentifierSuggestion[]> {
    const tacs = new Set<string>()
    const withoutKnownTacs = suggestIdentifiers(identifier, (tac) => {
      tacs.add(tac)
      return false
    })
    if (tacs.size === 0) return withoutKnownTacs
    const knownTacs = new Set<string>()
    await Promise.all([...tacs].map(async (tac) => (await findTacEntries(tac)).length > 0 && knownTacs.add(tac)))
    return suggestIdentifiers(identifier, (tac) => knownTacs.has(tac))
  }

  async function lookUpImei(
    identifier: Identifier,
    now: number,
    organizationId: string | undefined,
  ): Promise<ReferenceFacts> {
    const { tac, legacyTac } = splitImei(identifier.key)
    const [listings, entries, legacyEntries, confirmations] = await Promise.all([
      findListings(identifier),
      tacCache.get(tac) ?? findTacEntries(tac),
      tacCache.get(legacyTac) ?? findTacEntries(legacyTac),
      findConfirmations(tac, now),
    ])
    const confirmed = confirmations.length === 0 ? [] : confirmedModels(tac, confirmations, organizationId)
    const allEntries = confirmed.length === 0 ? entries : [...entries, ...confirmed.map(({ entry }) => entry)]
    const isListed = allEntries.length > 0 || legacyEntries.length > 0
    const mayBeOverdue = !isListed && isTacListComplete && allocationLagDays(identifier.key) !== null
    return {
      ...UNKNOWN_DEVICE,
      importedLists: checkImportedLists(identifier, listings, lists, now),
      match: matchByTac(identifier, allEntries, legacyEntries),
      tac: {
        isListed,
        isListComplete: isTacListComplete,
        firstSeenAt: mayBeOverdue ? await store.firstSeen(tac, now) : null,
        ...(confirmed.length > 0 && { confirmations: confirmed.map(({ evidence }) => evidence) }),
      },
      suggestions: await suggest(identifier),
      confirmations,
    }
  }

  async function lookUpOther(identifier: Identifier, now: number): Promise<ReferenceFacts> {
    return {
      ...UNKNOWN_DEVICE,
      importedLists: checkImportedLists(identifier, await findListings(identifier), lists, now),
      suggestions: await suggest(identifier),
    }
  }

  async function lookUpSerial(identifier: Identifier, now: number): Promise<ReferenceFacts> {
    const { decodedSerials, undecodedReason } = decodeSerial(identifier.key, dayOf(now))
    const devices = await store.devices(hintedDeviceIds(decodedSerials))
    return {
      ...(await lookUpOther(identifier, now)),
      match: matchBySerial(decodedSerials, devices),
      isSerialRandomised: undecodedReason === 'randomised_serial',
      decodedSerials,
    }
  }

  return {
    lookUp(identifier, now, organizationId) {
      if (identifier.type === 'serial') return lookUpSerial(identifier, now)
      // A MEID with decimal digits only is the 14 digits of an IMEI, including the TAC.
      const hasTac = identifier.type === 'imei' || (identifier.type === 'meid' && isDigits(identifier.key))
      return hasTac ? lookUpImei(identifier, now, organizationId) : lookUpOther(identifier, now)
    },
    onConfirmed: (tac) => void confirmationCache.delete(tac),
    close() {
      for (const reloader of reloaders) reloader.close()
    },
  }
}
