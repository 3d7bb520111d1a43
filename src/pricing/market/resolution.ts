import { type Device, slug, type Variant } from '../../catalog/device.ts'
import { configurationOf, gigabytes } from './configuration.ts'

/** How a row of a price list names what it is about; every part may be missing. */
export type Named = {
  readonly variantId: string
  readonly sku: string
  readonly partNumber: string
  readonly make: string
  readonly model: string
  readonly storage: string
  readonly color: string
}

export type Resolved = {
  readonly deviceId: string
  readonly configuration: string
  /** Null when only the colour is left open. */
  readonly variantId: string | null
  readonly listCents: number
}

export type Resolution = Resolved | { readonly problem: string; readonly detail: string }

export type Resolver = (named: Named) => Resolution

const problem = (reason: string, detail: string) => ({ problem: reason, detail })

/** Words in a seller's text that do not tell one model from another. */
const NOISE = new Set(
  'unlocked locked verizon at t att tmobile mobile sprint cricket carrier gsm cdma factory smartphone phone cell tablet laptop dual sim esim 4g lte wifi only'.split(
    ' ',
  ),
)

/** Finds the variant a row is about, among the devices of the registry. Nothing is guessed: what fits two things fits none. */
export function variantResolver(devices: Iterable<Device>): Resolver {
  const byVariant = new Map<string, [Device, Variant]>()
  const bySku = new Map<string, [Device, Variant][]>()
  const byPart = new Map<string, [Device, Variant][]>()
  const byName = new Map<string, Device[]>()
  for (const device of devices) {
    for (const variant of device.variants) {
      byVariant.set(variant.id, [device, variant])
      push(bySku, variant.sku.toLowerCase(), [device, variant])
      for (const part of variant.partNumbers) push(byPart, partBase(part), [device, variant])
    }
    for (const name of new Set([
      modelKey(`${device.make} ${device.name}`),
      modelKey(device.name),
      ...device.modelNumbers.map(modelKey),
    ])) {
      push(byName, name, device)
    }
  }

  function byExactCode(found: [Device, Variant][] | undefined, what: string, sent: string): Resolution {
    const [first] = found ?? []
    if (!first) return problem(`unknown ${what}`, sent)
    const same = (found ?? []).every(
      ([device, variant]) => device === first[0] && configurationOf(variant) === configurationOf(first[1]),
    )
    return same ? resolved(first[0], [first[1]]) : problem(`${what} fits several variants`, sent)
  }

  function byText({ make, model, storage, color }: Named): Resolution {
    const text = `${make} ${model}`.trim()
    const { rest, storage: inModel } = withoutStorage(model)
    const device = findDevice(make, rest, color)
    if (!device) return problem('unknown model', text)
    const wanted = gigabytes(storage) ?? (storage.trim() === '' ? inModel : null)
    if (storage.trim() !== '' && wanted === null) return problem('storage is not an amount', storage)
    const fitting = device.variants.filter((variant) => wanted === null || storageOf(variant) === wanted)
    if (fitting.length === 0) return problem('the model has no such storage', `${device.name} ${storage || inModel}`)
    const tint = slug(color || leftOver(rest, device))
    const tinted = fitting.filter((variant) => tint !== '' && colorOf(variant) === tint)
    const left = tinted.length > 0 ? tinted : fitting
    const configurations = new Set(left.map(configurationOf))
    if (configurations.size > 1)
      return problem('the model has several configurations; say which', `${text} ${storage}`.trim())
    return resolved(device, left)
  }

  function findDevice(make: string, model: string, color: string): Device | undefined {
    const full = modelKey(`${make} ${model}`)
    const exact = only(byName.get(full) ?? byName.get(modelKey(model)), make)
    if (exact) return exact
    // A seller's title goes on after the model: the longest beginning that names one device is it.
    const words = modelKey(color ? model.replace(color, ' ') : model).split(' ')
    for (let length = words.length; length > 0; length--) {
      const some = words.slice(0, length).join(' ')
      const device = only(byName.get(modelKey(`${make} ${some}`)) ?? byName.get(some), make)
      if (device) return device
    }
    return undefined
  }

  return (named) => {
    if (named.variantId) {
      const found = byVariant.get(named.variantId.toLowerCase())
      return found ? resolved(found[0], [found[1]]) : problem('unknown variant', named.variantId)
    }
    if (named.sku) return byExactCode(bySku.get(named.sku.toLowerCase()), 'SKU', named.sku)
    if (named.partNumber) return byExactCode(byPart.get(partBase(named.partNumber)), 'part number', named.partNumber)
    if (named.model) return byText(named)
    return problem('the row names no variant, SKU, part number or model', '')
  }
}

function resolved(device: Device, variants: readonly Variant[]): Resolved {
  const [first] = variants as [Variant]
  return {
    deviceId: device.id,
    configuration: configurationOf(first),
    variantId: variants.length === 1 ? first.id : null,
    listCents: first.listCents,
  }
}

/** Two makes may sell one name; then the make must decide. */
function only(devices: readonly Device[] | undefined, make: string): Device | undefined {
  if (!devices) return undefined
  if (devices.length === 1) return devices[0]
  const wanted = slug(make)
  const fitting = devices.filter((device) => slug(device.make) === wanted)
  return fitting.length === 1 ? fitting[0] : undefined
}

/** MLVC3LL/A and MLVC3 are one part. */
function partBase(part: string): string {
  return part.toUpperCase().replace(/[A-Z]{1,2}\/[A-Z]$/, '')
}

const STORAGE = /\b(\d{1,4}(?:\.\d)?)\s?(gb|tb)\b/i

function withoutStorage(model: string): { rest: string; storage: number | null } {
  const match = STORAGE.exec(model)
  if (!match) return { rest: model, storage: null }
  return { rest: model.replace(match[0], ' '), storage: gigabytes(match[0]) }
}

function modelKey(text: string): string {
  return slug(text)
    .split('-')
    .filter((word) => word !== '' && !NOISE.has(word))
    .join(' ')
}

/** What a title says after the model's name: often the colour. */
function leftOver(text: string, device: Device): string {
  const words = modelKey(text)
  for (const variant of device.variants) {
    const color = colorOf(variant)
    if (color && ` ${words} `.endsWith(` ${color.replaceAll('-', ' ')} `)) return color
  }
  return ''
}

const attributeOf = (variant: Variant, name: string) =>
  variant.attributes.find((attribute) => attribute.name.toLowerCase() === name)?.value ?? ''
const colorOf = (variant: Variant) => slug(attributeOf(variant, 'color'))
const storageOf = (variant: Variant) => gigabytes(attributeOf(variant, 'storage'))

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  if (key === '') return
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
