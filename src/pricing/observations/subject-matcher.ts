import { type Device, isBuiltToOrder, type Variant } from '../../catalog/device.ts'
import { isOnlyName } from '../../catalog/matching/only-name.ts'
import type { MatchRejection } from '../../catalog/matching/rejection.ts'
import type { Resolution } from '../../catalog/matching/resolution.ts'
import { createResolver, type Resolver } from '../../catalog/matching/resolver.ts'
import { memoizeWeak } from '../../lib/memoize.ts'
import type { RejectionCode } from '../../lib/rejections.ts'
import { runToEnd, type TimeSliced } from '../../lib/time-sliced.ts'
import { gigabytesFromText } from '../../text/sizes.ts'
import { configurationOf } from '../configuration.ts'
import { readListingText } from './listing-text.ts'

/** How a row of a price list names its device; every part may be empty. */
export type SubjectQuery = {
  readonly variantId: string
  readonly sku: string
  readonly partNumber: string
  readonly make: string
  /** A model's name, or the whole title of a listing. */
  readonly model: string
  readonly storage: string
  readonly ram: string
  readonly color: string
  /** Day of the price: a name that several generations share means one that was sold by then. */
  readonly day?: string
}

export type SubjectMatch = {
  readonly deviceId: string
  readonly configuration: string
  /** Null if only the color is unknown. */
  readonly variantId: string | null
  readonly listCents: number
  /** Carrier or lock that the title names; empty if none. */
  readonly lock: string
  /** The title states nothing beside the device. */
  readonly isOnlyName?: true
}

export type SubjectMismatch = {
  readonly problem: RejectionCode
  readonly detail: string
  /** Set if the device is known but has no variant of that size. */
  readonly missingVariant?: MissingVariant
  /** Set if the device is known and its size is open: the base model, or the smallest of several stated sizes. */
  readonly base?: SubjectMatch
  /** Set if the device is a computer, built to order, that has no variant of that size. */
  readonly isBuiltToOrder?: true
  /** Set if several devices fit: the day when the newest of them was released. An older price means fewer of them. */
  readonly newestRelease?: string
}

/** A size of a known device that the catalogue has no variant for. */
export type MissingVariant = {
  readonly device: Device
  /** Null if the row does not state it. */
  readonly storageGb: number | null
  readonly ramGb: number | null
  /** Chip that the row states and no variant has. */
  readonly chip?: string
  /** The variants that fit all other values of the row. */
  readonly similarVariants: readonly Variant[]
  /** List price of the most expensive sibling; 0 if unknown. */
  readonly listCents: number
}

export type SubjectMatcher = (query: SubjectQuery) => SubjectMatch | SubjectMismatch

/** A mistyped name or a guessed make is good enough for a price, not for adding to the catalogue. */
const MIN_DEVICE_CONFIDENCE = 85

export const STORAGE_MISSING = 'storage_missing'
export const SEVERAL_SIZES = 'several_sizes'
const TITLE_AMBIGUOUS = 'title_ambiguous'
export const WANTED_AD = 'wanted_ad'
export const LOCKED_DEVICE = 'locked'

/** Reasons of a report for titles that are not matched. */
const REJECTIONS: Readonly<Record<MatchRejection, RejectionCode>> = {
  accessory: 'accessory',
  part: 'part',
  box: 'empty_box',
  lot: 'several_items',
  for_parts: 'for_parts',
  wanted: WANTED_AD,
  service: 'service',
  replica: 'replica',
  multiple_models: 'several_models',
  unknown_model: 'unknown_model',
  make_mismatch: 'title_of_other_make',
  unknown_make: 'unknown_make',
  conflicting_identifiers: 'identifiers_conflict',
  incomplete_name: 'title_incomplete',
  not_enough_information: 'title_unclear',
}

const VARIANT_PROBLEMS = { unknown: 'unknown_variant', ambiguous: 'unknown_variant' } as const
const SKU_PROBLEMS = { unknown: 'unknown_sku', ambiguous: 'sku_ambiguous' } as const
const PART_NUMBER_PROBLEMS = { unknown: 'unknown_part_number', ambiguous: 'part_number_ambiguous' } as const

/** About a millisecond of work. */
const DEVICES_PER_STEP = 32

/** Whether only the title identifies the device, not an id or a code. */
export const isTitleOnly = ({ variantId, sku, partNumber, model }: SubjectQuery) =>
  variantId === '' && sku === '' && partNumber === '' && model !== ''

/**
 * Finds the variant of a row in the catalogue. Rows that fit several devices are rejected. Without a resolver it builds its own
 * when the first row needs it.
 */
export function createSubjectMatcher(devices: readonly Device[], existingResolver?: Resolver): SubjectMatcher {
  return runToEnd(buildSubjectMatcher(devices, existingResolver))
}

/** Yields to the event loop. */
export function* buildSubjectMatcher(
  devices: readonly Device[],
  existingResolver?: Resolver,
): TimeSliced<SubjectMatcher> {
  let resolver = existingResolver
  const byVariant = new Map<string, [Device, Variant]>()
  const bySku = new Map<string, [Device, Variant][]>()
  const byPart = new Map<string, [Device, Variant][]>()
  for (const [at, device] of devices.entries()) {
    if (at % DEVICES_PER_STEP === 0) yield
    for (const variant of device.variants) {
      byVariant.set(variant.id, [device, variant])
      push(bySku, variant.sku.toLowerCase(), [device, variant])
      for (const part of variant.partNumbers) push(byPart, normalizePartNumber(part), [device, variant])
    }
  }

  function matchByCode(
    matches: readonly [Device, Variant][] | undefined,
    problems: { readonly unknown: RejectionCode; readonly ambiguous: RejectionCode },
    code: string,
  ): SubjectMatch | SubjectMismatch {
    const [first] = matches ?? []
    if (!matches || !first) return mismatch(problems.unknown, code)
    const isUnambiguous = matches.every(
      ([device, variant]) => device === first[0] && configurationOf(variant) === configurationOf(first[1]),
    )
    return isUnambiguous ? subjectOf(first[0], [first[1]], '') : mismatch(problems.ambiguous, code)
  }

  return (query) => {
    if (query.variantId)
      return matchByCode(toArray(byVariant.get(query.variantId.toLowerCase())), VARIANT_PROBLEMS, query.variantId)
    const ofSku = query.sku ? bySku.get(query.sku.toLowerCase()) : undefined
    if (ofSku) return matchByCode(ofSku, SKU_PROBLEMS, query.sku)
    if (query.partNumber)
      return matchByCode(byPart.get(normalizePartNumber(query.partNumber)), PART_NUMBER_PROBLEMS, query.partNumber)
    // Some lists call a name a SKU.
    const name = query.model || query.sku
    if (!name) return mismatch('device_missing', '')
    if (query.storage && gigabytesFromText(query.storage) === null) return mismatch('storage_not_a_size', query.storage)
    const { make, ram, color } = query
    const storage = toSizeText(query.storage)
    const text = name
    resolver ??= createResolver(devices)
    const title = `${make} ${text}`.trim()
    const withColor = resolver({ text, make, storage, ram, color })
    // A color that the device is not listed with says nothing about its price.
    const isColorUnknown = color !== '' && withColor.device !== null && withColor.variants.length === 0
    const resolution = isColorUnknown ? resolver({ text, make, storage, ram }) : withColor
    if (!query.model && !resolution.device && resolution.decision !== 'ambiguous') {
      return mismatch(SKU_PROBLEMS.unknown, query.sku)
    }
    const sold = query.day === undefined ? null : soldBy(resolution, query.day)
    if (sold) return subjectFromTitle(resolver({ ...statedSizes(resolution), text: sold.name, make: sold.make }), title)
    if (resolution.rejection !== 'for_parts') {
      const subject = subjectFromTitle(resolution, title)
      const isName = resolution.device !== null && !('problem' in subject) && isOnlyName(text, resolution.device)
      return isName ? { ...subject, isOnlyName: true } : subject
    }
    // A defective device is matched by the rest of its title; its condition records the defect.
    const { withoutFaults, isAccountLocked } = readListingText(text)
    if (isAccountLocked) return mismatch(LOCKED_DEVICE, title)
    return subjectFromTitle(
      withoutFaults === null ? resolution : resolver({ text: withoutFaults, make, storage, ram, color }),
      title,
    )
  }
}

/** "128 Go" and "256 GB SSD" as the resolver reads sizes. */
function toSizeText(storage: string): string {
  const gigabytes = gigabytesFromText(storage)
  return gigabytes === null || /^[\d.\s]+(?:[mgt]b)?$/i.test(storage) ? storage : `${gigabytes}GB`
}

const mismatch = (reason: RejectionCode, detail: string): SubjectMismatch => ({ problem: reason, detail })

function subjectFromTitle(resolution: Resolution, text: string): SubjectMatch | SubjectMismatch {
  const { device, variants } = resolution
  if (resolution.decision === 'ambiguous') {
    const newestRelease = newestReleaseOf(resolution)
    return { ...mismatch(TITLE_AMBIGUOUS, text), ...(newestRelease === null ? {} : { newestRelease }) }
  }
  if (!device) return mismatch(resolution.rejection ? REJECTIONS[resolution.rejection] : 'unknown_model', text)
  const lock =
    resolution.attributes.find(({ name }) => name === 'lock' || name === 'carrier')?.value.toLowerCase() ?? ''
  if (resolution.variantNote === 'several_storages') {
    return openSize(SEVERAL_SIZES, text, baseModel(device, resolution.similarVariants, lock))
  }
  if (variants.length === 0) {
    const sizeOf = (name: string) => resolution.attributes.find((attribute) => attribute.name === name)?.value ?? ''
    const sizes = [sizeOf('storage'), sizeOf('ram')]
    const [storageGb = null, ramGb = null] = sizes.map(gigabytesFromText)
    const isConfident = resolution.similarVariants.length > 0 && resolution.confidence >= MIN_DEVICE_CONFIDENCE
    return {
      problem: 'storage_not_of_model',
      detail: [device.make, device.name, ...sizes].filter(Boolean).join(' '),
      ...(isBuiltToOrder(device) ? { isBuiltToOrder: true } : {}),
      ...(isConfident
        ? {
            missingVariant: {
              device,
              storageGb,
              ramGb,
              ...(resolution.variantNote === 'chip_not_offered' ? { chip: sizeOf('chip') } : {}),
              similarVariants: resolution.similarVariants,
              listCents: highestListCents(device),
            },
          }
        : {}),
    }
  }
  const configuration = configurationOf(variants[0] as Variant)
  if (variants.some((variant) => configurationOf(variant) !== configuration)) {
    return openSize(STORAGE_MISSING, text, baseModel(device, variants, lock))
  }
  return subjectOf(device, variants, lock)
}

const openSize = (problem: RejectionCode, text: string, base: SubjectMatch | null): SubjectMismatch => ({
  ...mismatch(problem, text),
  ...(base ? { base } : {}),
})

/** Above this ratio of launch prices a device without a stated size may be too many things. */
const MAX_PRICE_RATIO = 2

/**
 * The base model of variants that fit: sellers name what is above it. Null for computers, and if storage sizes differ whose
 * launch prices are unknown or differ too much.
 */
function baseModel(device: Device, variants: readonly Variant[], lock: string): SubjectMatch | null {
  if (variants.length === 0 || isBuiltToOrder(device)) return null
  const prices = variants.map(({ listCents }) => listCents)
  const lowest = Math.min(...prices)
  const isPriceKnown = lowest > 0 && Math.max(...prices) <= lowest * MAX_PRICE_RATIO
  if (!isPriceKnown && !differOnlyInMemory(variants)) return null
  const isSpecial = ({ attributes }: Variant) => attributes.some(({ name }) => name.toLowerCase() === 'edition')
  const standard = variants.some((variant) => !isSpecial(variant)) ? variants.filter((it) => !isSpecial(it)) : variants
  const [base] = [...standard].sort(
    (a, b) =>
      gigabytesOf(a, 'storage') - gigabytesOf(b, 'storage') ||
      a.listCents - b.listCents ||
      gigabytesOf(a, 'ram') - gigabytesOf(b, 'ram'),
  )
  return base ? { ...subjectOf(device, [base], lock), variantId: null } : null
}

const differOnlyInMemory = (variants: readonly Variant[]) =>
  new Set(variants.map((variant) => gigabytesOf(variant, 'storage'))).size === 1

const gigabytesOf = ({ attributes }: Variant, attribute: string) =>
  gigabytesFromText(attributes.find(({ name }) => name.toLowerCase() === attribute)?.value ?? '') ?? 0

/** The sizes and the color that a title states, as fields of their own. */
function statedSizes({ attributes }: Resolution) {
  const stated = (name: string) => attributes.find((attribute) => attribute.name === name)?.value ?? ''
  return { storage: stated('storage'), ram: stated('ram'), color: stated('color') }
}

/** When the newest of several devices was released; null if one has no date or they are all of one day. */
function newestReleaseOf({ candidates }: Resolution): string | null {
  const days = candidates.map(({ device }) => device.releasedOn ?? '').sort()
  return days[0] === '' || days[0] === days.at(-1) ? null : (days.at(-1) ?? null)
}

/** The only one of several devices that had been released by a day. */
function soldBy(resolution: Resolution, day: string): Device | null {
  if (resolution.decision !== 'ambiguous' || newestReleaseOf(resolution) === null) return null
  const released = resolution.candidates.filter(({ device }) => (device.releasedOn ?? '') <= day)
  return released.length === 1 ? (released[0]?.device ?? null) : null
}

/** Rows of the same subject share one object, so that its number in the database is looked up once. */
const subjectCache = memoizeWeak((_: Variant) => new Map<string, SubjectMatch>())

function subjectOf(device: Device, variants: readonly Variant[], lock: string): SubjectMatch {
  const [first] = variants as readonly [Variant]
  const byLock = subjectCache(first)
  const key = variants.length === 1 ? lock : `any ${lock}`
  let subject = byLock.get(key)
  if (!subject) {
    subject = {
      deviceId: device.id,
      configuration: configurationOf(first),
      variantId: variants.length === 1 ? first.id : null,
      // A variant that was added without a price is checked against its most expensive sibling.
      listCents: first.listCents || highestListCents(device),
      lock,
    }
    byLock.set(key, subject)
  }
  return subject
}

function highestListCents({ variants }: Device): number {
  return variants.reduce((highest, { listCents }) => Math.max(highest, listCents), 0)
}

/** MLVC3LL/A and MLVC3 are the same part number. */
function normalizePartNumber(part: string): string {
  return part.toUpperCase().replace(/[A-Z]{1,2}\/[A-Z]$/, '')
}

const toArray = <Value>(value: Value | undefined): Value[] | undefined => value && [value]

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  if (key === '') return
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}
