import type { Device, Variant } from '../../catalog/device.ts'
import type { Refusal } from '../../resolver/refusal.ts'
import type { Resolution } from '../../resolver/resolution.ts'
import { openResolver, type Resolver } from '../../resolver/resolver.ts'
import { configurationOf, gigabytes } from './configuration.ts'

/** How a row of a price list names what it is about; every part may be missing. */
export type Named = {
  readonly variantId: string
  readonly sku: string
  readonly partNumber: string
  readonly make: string
  /** A model's name, or the whole title of a listing. */
  readonly model: string
  readonly storage: string
  readonly ram: string
  readonly color: string
}

export type FoundSubject = {
  readonly deviceId: string
  readonly configuration: string
  /** Null when only the colour is left open. */
  readonly variantId: string | null
  readonly listCents: number
  /** What the title says of a carrier or a lock; empty where it says nothing. */
  readonly lock: string
}

export type NoSubject = {
  readonly problem: string
  readonly detail: string
  /** A size that a known device was never listed with. */
  readonly newSize?: NewSize
}

/** What a row says of a device that is surely the one it means, where the registry holds no variant of that size. */
export type NewSize = {
  readonly device: Device
  /** Null where the row does not say it. */
  readonly storageGb: number | null
  readonly ramGb: number | null
  /** The variants that fit everything else the row says. */
  readonly alike: readonly Variant[]
  /** Of its dearest sibling; 0 where none is known. */
  readonly listCents: number
}

export type SubjectFinder = (named: Named) => FoundSubject | NoSubject

/** A mistyped name or a make that was only guessed is enough to book a price, not to add to the registry. */
const SURE_OF_DEVICE = 85

/** Why a title is no device we know, in the words of a report. */
const REFUSALS: Readonly<Record<Refusal, string>> = {
  accessory: 'an accessory, not a device',
  part: 'a part, not a device',
  box: 'a box without its device',
  lot: 'several things at one price',
  for_parts: 'in no grade: not working, for parts or locked',
  wanted: 'wanted, not offered',
  service: 'a service, not a device',
  replica: 'a replica',
  several_devices: 'several models in one title',
  other_model: 'unknown model',
  make_crossed: 'the title names another make than the row',
  make_not_on_board: 'unknown make',
  contradiction: 'the model number and the name are of different devices',
  too_little: 'too little to tell the model',
}

/** Whether what the row is about is told by its words alone. */
export const isByTitle = ({ variantId, sku, partNumber, model }: Named) =>
  variantId === '' && sku === '' && partNumber === '' && model !== ''

/**
 * Finds the variant a row is about, among the devices of the registry. Nothing is guessed: what fits two things fits none.
 * Without a resolver it learns the names itself, when a row first needs them.
 */
export function openSubjects(devices: readonly Device[], given?: Resolver): SubjectFinder {
  let resolver = given
  const byVariant = new Map<string, [Device, Variant]>()
  const bySku = new Map<string, [Device, Variant][]>()
  const byPart = new Map<string, [Device, Variant][]>()
  for (const device of devices) {
    for (const variant of device.variants) {
      byVariant.set(variant.id, [device, variant])
      push(bySku, variant.sku.toLowerCase(), [device, variant])
      for (const part of variant.partNumbers) push(byPart, partBase(part), [device, variant])
    }
  }

  function byCode(
    found: readonly [Device, Variant][] | undefined,
    what: string,
    sent: string,
  ): FoundSubject | NoSubject {
    const [first] = found ?? []
    if (!found || !first) return problem(`unknown ${what}`, sent)
    const isOne = found.every(
      ([device, variant]) => device === first[0] && configurationOf(variant) === configurationOf(first[1]),
    )
    return isOne ? subjectOf(first[0], [first[1]], '') : problem(`${what} fits several variants`, sent)
  }

  return (named) => {
    if (named.variantId) return byCode(single(byVariant.get(named.variantId.toLowerCase())), 'variant', named.variantId)
    if (named.sku) return byCode(bySku.get(named.sku.toLowerCase()), 'SKU', named.sku)
    if (named.partNumber) return byCode(byPart.get(partBase(named.partNumber)), 'part number', named.partNumber)
    if (!named.model) return problem('the row names no variant, SKU, part number or model', '')
    if (named.storage && gigabytes(named.storage) === null) return problem('storage is not an amount', named.storage)
    const { model: text, make, storage, ram, color } = named
    resolver ??= openResolver(devices)
    return byTitle(resolver({ text, make, storage, ram, color }), `${make} ${text}`.trim())
  }
}

const problem = (reason: string, detail: string): NoSubject => ({ problem: reason, detail })

function byTitle(found: Resolution, text: string): FoundSubject | NoSubject {
  const { device, variants } = found
  if (found.decision === 'ambiguous') return problem('the title fits several models', text)
  if (!device) return problem(found.refusal ? REFUSALS[found.refusal] : 'unknown model', text)
  if (found.note === 'several_storages') return problem('several storages at one price', text)
  if (variants.length === 0) {
    const sizeOf = (name: string) => found.attributes.find((attribute) => attribute.name === name)?.value ?? ''
    const said = [sizeOf('storage'), sizeOf('ram')]
    const [storageGb = null, ramGb = null] = said.map(gigabytes)
    const isSure = found.alike.length > 0 && found.confidence >= SURE_OF_DEVICE
    return {
      problem: 'the model has no such storage',
      detail: [device.make, device.name, ...said].filter(Boolean).join(' '),
      ...(isSure ? { newSize: { device, storageGb, ramGb, alike: found.alike, listCents: dearestOf(device) } } : {}),
    }
  }
  const configuration = configurationOf(variants[0] as Variant)
  if (variants.some((variant) => configurationOf(variant) !== configuration)) {
    return problem('the model has several configurations; say which', text)
  }
  const lock = found.attributes.find(({ name }) => name === 'lock' || name === 'carrier')
  return subjectOf(device, variants, lock?.value.toLowerCase() ?? '')
}

/** Rows about the same thing share one object, whatever their titles: what it is stored under is then looked up once. */
const subjects = new WeakMap<Variant, Map<string, FoundSubject>>()

function subjectOf(device: Device, variants: readonly Variant[], lock: string): FoundSubject {
  const [first] = variants as readonly [Variant]
  let known = subjects.get(first)
  if (!known) {
    known = new Map()
    subjects.set(first, known)
  }
  const key = variants.length === 1 ? lock : `any ${lock}`
  let subject = known.get(key)
  if (!subject) {
    subject = {
      deviceId: device.id,
      configuration: configurationOf(first),
      variantId: variants.length === 1 ? first.id : null,
      // A variant that was added without a price is held against its dearest sibling's.
      listCents: first.listCents || dearestOf(device),
      lock,
    }
    known.set(key, subject)
  }
  return subject
}

function dearestOf({ variants }: Device): number {
  return variants.reduce((most, { listCents }) => Math.max(most, listCents), 0)
}

/** MLVC3LL/A and MLVC3 are one part. */
function partBase(part: string): string {
  return part.toUpperCase().replace(/[A-Z]{1,2}\/[A-Z]$/, '')
}

const single = <Value>(value: Value | undefined): Value[] | undefined => value && [value]

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  if (key === '') return
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
