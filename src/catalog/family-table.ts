import * as z from 'zod'
import { toUsCents } from './announced-price.ts'
import { type Attribute, type Device, deviceIdFor, type ListPrice, memoizedSlug, type Variant } from './device.ts'
import { parseReleaseDate } from './release-date.ts'
import { internAttribute } from './shared-attribute.ts'

/** Attributes a table may vary by, in the order they have in a variant's name and id. */
export const ATTRIBUTE_NAMES = [
  'edition',
  'size',
  'chip',
  'graphics',
  'connectivity',
  'ram',
  'storage',
  'color',
] as const
type AttributeName = (typeof ATTRIBUTE_NAMES)[number]

const textSchema = z.string().trim().min(1).max(300)
const oneOrManySchema = z.array(textSchema).max(2000)
const modelsByAttributeSchema = z.record(z.string(), oneOrManySchema)

/** List prices in one country, in whole units of its currency and with the tax that its buyers pay. `prices` has the keys of the offer's own prices. */
const announcedPriceSchema = z.strictObject({
  /** ISO 3166, or "EU" for one price in the euro countries. */
  country: z.string().regex(/^[A-Z]{2}$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  prices: z.record(z.string(), z.number().positive().max(1_000_000_000)),
})

/**
 * One way a device was sold. `by` names the attributes that determine the price (default: storage) and
 * `prices` gives US launch cents per value, several values joined by "/"; 0 if no list price is known. Every other
 * attribute is a plain list, and each price is offered in every combination of them except those in `except`.
 */
const offerSchema = z.strictObject({
  by: z.array(z.enum(ATTRIBUTE_NAMES)).optional(),
  prices: z.record(z.string(), z.int().min(0).max(100_000_000)),
  /** Prices of other countries if there is no US price; a basis for an estimate, never a list price. */
  announced: z.array(announcedPriceSchema).optional(),
  except: oneOrManySchema.optional(),
  edition: oneOrManySchema.optional(),
  size: oneOrManySchema.optional(),
  chip: oneOrManySchema.optional(),
  graphics: oneOrManySchema.optional(),
  connectivity: oneOrManySchema.optional(),
  ram: oneOrManySchema.optional(),
  storage: oneOrManySchema.optional(),
  color: oneOrManySchema.optional(),
})
type Offer = z.infer<typeof offerSchema>

/** A device on one line of a family table. */
export const familyDeviceSchema = z.strictObject({
  name: textSchema,
  /** Day, month or year, as far as it is known. */
  released: z.string().optional(),
  ended: z.boolean().optional(),
  models: oneOrManySchema.optional(),
  identifiers: oneOrManySchema.optional(),
  specs: z.record(z.string(), textSchema).optional(),
  offers: z.array(offerSchema).max(200),
  /** Model numbers of the variants that carry all of the "/"-joined attribute values of the key. */
  modelsBy: modelsByAttributeSchema.optional(),
  /** Part numbers by a variant's attribute values joined by "/". */
  parts: modelsByAttributeSchema.optional(),
})
export type FamilyDevice = z.infer<typeof familyDeviceSchema>

export type FamilyTable = {
  readonly make: string
  readonly category: string
  readonly devices: readonly FamilyDevice[]
}

/** A table that contradicts itself. */
export class FamilyTableError extends Error {}

export function expandFamily(family: FamilyTable): Device[] {
  return family.devices.map((row) => expandDevice(family, row))
}

function expandDevice({ make, category }: FamilyTable, row: FamilyDevice): Device {
  const id = deviceIdFor(make, row.name)
  const models = row.models ?? EMPTY_LIST
  const modelsBy = Object.entries(row.modelsBy ?? {}).map(([key, numbers]) => ({ values: key.split('/'), numbers }))
  const parts = row.parts ?? {}
  const unusedParts = new Set(Object.keys(parts))
  const variants: Variant[] = []
  for (const offer of row.offers) {
    combine(offer, { id, name: row.name, released: row.released, category }, (variant, key) => {
      unusedParts.delete(key)
      variants.push({
        id: variant.id,
        sku: variant.id.toUpperCase(),
        name: variant.name,
        listCents: variant.listCents,
        ...(variant.announcedCents === undefined ? {} : { announcedCents: variant.announcedCents }),
        ...(variant.listPrices.length === 0 ? {} : { listPrices: variant.listPrices }),
        partNumbers: parts[key] ?? EMPTY_LIST,
        modelNumbers: modelsBy.length > 0 ? modelNumbersFor(variant.attributes, modelsBy, models) : models,
        attributes: variant.attributes,
        disabled: false,
      })
    })
  }
  if (variants.length > MAX_VARIANTS) fail(row.name, `has more than ${MAX_VARIANTS} variants`)
  if (unusedParts.size > 0) fail(row.name, `has part numbers of no variant: ${[...unusedParts].join(', ')}`)
  const released = row.released === undefined ? undefined : parseReleaseDate(row.released)
  if (released === null) fail(row.name, `has the release date "${row.released}"`)
  return {
    id,
    name: row.name,
    make,
    category,
    modelNumbers: models,
    modelIdentifiers: row.identifiers ?? EMPTY_LIST,
    specifications: withVariantOptions(row.specs ?? {}, variants),
    releasedOn: released?.day ?? null,
    releasePrecision: released?.precision ?? null,
    status: row.ended ? 'discontinued' : 'active',
    variants,
  }
}

type ModelNumbersByValue = readonly { readonly values: readonly string[]; readonly numbers: readonly string[] }[]

function modelNumbersFor(
  attributes: readonly Attribute[],
  modelsBy: ModelNumbersByValue,
  deviceNumbers: readonly string[],
): readonly string[] {
  const has = (value: string) => attributes.some((attribute) => attribute.value === value)
  const matchingEntries = modelsBy.filter((entry) => entry.values.every(has))
  return matchingEntries.length > 0 ? matchingEntries.flatMap((entry) => entry.numbers) : deviceNumbers
}

/** Bounds memory: a few long lists multiply to millions of variants. */
const MAX_VARIANTS = 5000

const EMPTY_LIST: readonly never[] = []

type Combination = {
  readonly id: string
  readonly name: string
  readonly listCents: number
  readonly announcedCents: number | undefined
  readonly listPrices: readonly ListPrice[]
  readonly attributes: readonly Attribute[]
}

/** An attribute value and its part of an id, created once per offer, not once per variant. */
type Choice = { readonly attribute: Attribute; readonly slug: string }

/**
 * Calls `add` for every combination, with its values joined by "/". A first start creates tens of thousands, so it
 * allocates only the texts themselves.
 */
function combine(
  offer: Offer,
  device: Pick<Device, 'id' | 'name' | 'category'> & Pick<FamilyDevice, 'released'>,
  add: (variant: Combination, key: string) => void,
): void {
  const by = offer.by ?? BY_STORAGE
  const names = ATTRIBUTE_NAMES.filter((name) => by.includes(name) || offer[name] !== undefined)
  const choices = names.map((name) =>
    by.includes(name) ? [] : (offer[name] ?? []).map((value) => toChoice(name, value)),
  )
  const count = names.reduce(
    (product, name, level) => (by.includes(name) ? product : product * (choices[level]?.length ?? 0)),
    Object.keys(offer.prices).length,
  )
  if (count > MAX_VARIANTS) fail(device.name, `has more than ${MAX_VARIANTS} variants`)
  const exceptions = new Set(offer.except)
  const attributes: Attribute[] = []
  let announcedCents: number | undefined
  let listPrices: readonly ListPrice[] = EMPTY_LIST

  function choose(level: number, id: string, name: string, key: string, listCents: number): void {
    const options = choices[level]
    if (options === undefined) {
      if (!exceptions.delete(key))
        add({ id, name, listCents, announcedCents, listPrices, attributes: attributes.slice() }, key)
      return
    }
    for (const { attribute, slug } of options) {
      attributes[level] = attribute
      const { value } = attribute
      // "HERO11 Black" in black is not the "HERO11 Black Black".
      const variantName = name.endsWith(` ${value}`) ? name : `${name} ${value}`
      choose(level + 1, `${id}-${slug}`, variantName, level === 0 ? value : `${key}/${value}`, listCents)
    }
  }

  for (const [priceKey, listCents] of Object.entries(offer.prices)) {
    const values = priceKey === '' ? EMPTY_LIST : priceKey.split('/')
    if (values.length !== by.length) {
      fail(device.name, `has the price "${priceKey}" for ${by.join(', ') || 'no attribute'}`)
    }
    for (const [at, name] of by.entries()) choices[names.indexOf(name)] = [toChoice(name, values[at] ?? '')]
    announcedCents = announcedUsCents(offer, priceKey, device)
    listPrices = announcedListPrices(offer, priceKey)
    choose(0, device.id, device.name, '', listCents)
  }
  if (exceptions.size > 0) fail(device.name, `excepts what it does not offer: ${[...exceptions].join(', ')}`)
}

/** Price of the first country whose currency and tax are known. */
function announcedUsCents(
  offer: Offer,
  priceKey: string,
  device: Pick<Device, 'category'> & Pick<FamilyDevice, 'released'>,
): number | undefined {
  for (const { country, currency, prices } of offer.announced ?? EMPTY_LIST) {
    const amount = prices[priceKey]
    const cents = amount === undefined ? undefined : toUsCents({ country, currency, amount }, device)
    if (cents !== undefined) return cents
  }
  return undefined
}

/** Shared by all variants of this price. */
function announcedListPrices(offer: Offer, priceKey: string): readonly ListPrice[] {
  if (!offer.announced) return EMPTY_LIST
  return offer.announced.flatMap(({ country, currency, prices }) => {
    const amount = prices[priceKey]
    return amount === undefined ? [] : [{ market: country.toLowerCase(), currency, amount }]
  })
}

const BY_STORAGE: readonly AttributeName[] = ['storage']

function toChoice(name: AttributeName, value: string): Choice {
  return { attribute: internAttribute(name, value), slug: memoizedSlug(value) }
}

/** Adds storage sizes, memory sizes and colors, which a table states only in its variants. */
function withVariantOptions(
  specs: Readonly<Record<string, string>>,
  variants: readonly Variant[],
): Record<string, string> {
  const options = new Map<string, Set<string>>()
  for (const { attributes } of variants) {
    for (const { name, value } of attributes) {
      const specification = SPECIFICATION_BY_ATTRIBUTE[name as AttributeName]
      if (specification === undefined || specs[specification] !== undefined) continue
      options.getOrInsertComputed(specification, () => new Set()).add(value)
    }
  }
  return { ...specs, ...Object.fromEntries(Array.from(options, ([name, values]) => [name, [...values].join(', ')])) }
}

const SPECIFICATION_BY_ATTRIBUTE: { readonly [name in AttributeName]?: string } = {
  graphics: 'graphics',
  ram: 'memory',
  storage: 'storage',
  color: 'colors',
}

function fail(device: string, problem: string): never {
  throw new FamilyTableError(`${device} ${problem}`)
}
