import type { Device, Variant } from '../../src/catalog/device.ts'
import { type ApplePart, type AppleReferenceRecord, type CatalogueReferences, toList } from './reference-data.ts'
import type { Tally } from './tally.ts'

/** Names, A-numbers, identifiers, dates, colors, storage sizes, part numbers and prices of Apple's devices. */
export function checkApple(devices: readonly Device[], references: CatalogueReferences, tally: Tally): void {
  const byIdentifier = new Map<string, AppleReferenceRecord[]>()
  const identifierOfNumber = new Map<string, Set<string>>()
  const groupsOf = new Map<string, Set<string>>()
  for (const record of references.appleDevices) {
    for (const identifier of toList(record.identifier)) pushTo(byIdentifier, identifier, record)
    for (const number of toList(record.model)) {
      const known = identifierOfNumber.get(number) ?? new Set()
      for (const identifier of toList(record.identifier)) known.add(identifier)
      identifierOfNumber.set(number, known)
    }
  }
  for (const group of references.appleGroups) {
    for (const key of group.devices) groupsOf.set(key, (groupsOf.get(key) ?? new Set()).add(group.name))
  }
  const partSites = partPlacements(references.appleParts)
  const extraParts = new Map(references.extraParts.map((row) => [row[4] ?? '', { device: row[0], storage: row[2] }]))
  const launchPrices = new Map(references.launchPrices.map((row) => [`${row[0]} ${row[2]}`, Number(row[3]) * 100]))

  for (const device of devices) {
    const sharing = [...new Set(device.modelIdentifiers.flatMap((one) => byIdentifier.get(one) ?? []))]
    for (const identifier of device.modelIdentifiers) {
      tally.record('Apple identifier', byIdentifier.has(identifier), `${device.name}: ${identifier}`)
    }
    if (sharing.length === 0) {
      tally.disagree('Apple name', `${device.name}: none of its identifiers is known`)
      continue
    }
    // Some identifiers live through several model years; the name tells the records apart.
    const named = sharing.filter((record) => recordNames(record, groupsOf).some((name) => sameName(name, device.name)))
    const records = named.length > 0 ? named : sharing
    const known = recordNames(records[0], groupsOf).join(' / ')
    tally.record('Apple name', named.length > 0, `${device.name}: known as ${known}`)

    for (const number of device.modelNumbers) {
      const owners = identifierOfNumber.get(number)
      const isOwn =
        owners !== undefined && (owners.size === 0 || device.modelIdentifiers.some((one) => owners.has(one)))
      tally.record('Apple A-number', isOwn, `${device.name}: ${number}`)
    }
    const days = records.flatMap((record) => toList(record.released)).sort()
    if (days[0] === undefined) tally.unknown('Apple release date')
    else {
      const own = device.releasedOn ?? ''
      tally.record('Apple release date', own.startsWith(days[0]), `${device.name}: ${own}, known ${days[0]}`)
    }
    // The set does not say when earphones and players were withdrawn, so only what it calls ended is held against ours.
    if (records.every((record) => record.discontinued !== undefined)) {
      tally.record('Apple status', device.status === 'discontinued', `${device.name}: ${device.status}, known ended`)
    } else tally.unknown('Apple status')

    checkColors(device, records, tally)
    checkStorage(device, records, references.appleParts, tally)
    checkPrices(device, launchPrices, tally)
    for (const variant of device.variants) checkParts(device, variant, partSites, extraParts, tally)
  }
}

function recordNames(record: AppleReferenceRecord | undefined, groupsOf: Map<string, Set<string>>): string[] {
  if (!record) return []
  const key = record.key ?? toList(record.identifier)[0] ?? record.name
  return [record.name, ...(groupsOf.get(key) ?? [])]
}

/** Records are split by radio, size and ear: "iPad (9th generation) Wi-Fi" and "AirPods 4 (Left)" are ours without. */
function sameName(known: string, ours: string): boolean {
  const plain = (name: string) =>
    name
      .replace(/²/g, '2')
      .replace(/³/g, '3')
      .replace(/ Wi-Fi( \+ Cellular)?/, '')
      .replace(/ \((GPS|38mm|42mm|Left|Right|1TB|1 or 2 TB|TD-LTE|China Mainland|Global|GSM|CDMA)[^)]*\)/g, '')
      .replace(/, GPS( \+ Cellular)?, \d\dmm\)/, ')')
      .replace(/\((Left|Right), /, '(')
      .replace(/ Charging Case$/, '')
  return known === ours || plain(known) === ours || plain(known) === plain(ours)
}

/** A watch's case comes with its color there: "Titanium - Slate", plain "Titanium" for the natural one. */
function checkColors(device: Device, records: readonly AppleReferenceRecord[], tally: Tally): void {
  const standard = records.filter((record) => !/ Edition| Collection| - /.test(record.name))
  const known = new Set(standard.flatMap((record) => toList(record.colors).map((color) => color.name)))
  const ours = new Map<string, { color: string; edition: string | undefined }>()
  for (const variant of device.variants) {
    const color = attribute(variant, 'color')
    const edition = device.category === 'Smartwatch' ? attribute(variant, 'edition') : undefined
    if (color !== undefined) ours.set(`${edition} ${color}`, { color, edition })
  }
  if (known.size === 0) {
    tally.unknown('Apple color', ours.size)
    return
  }
  for (const { color, edition } of ours.values()) {
    const spellings =
      edition === undefined || edition === 'Aluminum'
        ? [color]
        : [`${edition} - ${color}`, ...(color === 'Natural' ? [edition] : [])]
    tally.record(
      'Apple color',
      spellings.some((one) => known.has(one)),
      `${device.name}: ${edition ?? ''} ${color}`,
    )
  }
}

function checkStorage(
  device: Device,
  records: readonly AppleReferenceRecord[],
  parts: readonly ApplePart[],
  tally: Tally,
): void {
  const known = new Set(
    [
      ...records.flatMap((record) => toList(record.info).flatMap((block) => toList(block.Storage))),
      ...parts
        .filter((part) => toList(part.Identifier).some((one) => device.modelIdentifiers.includes(one)))
        .flatMap((part) => part.Models.flatMap((model) => model.Storage ?? [])),
    ].map(plainStorage),
  )
  const ours = new Set(device.variants.flatMap((variant) => attribute(variant, 'storage') ?? []))
  if (known.size === 0) {
    tally.unknown('Apple storage size', ours.size)
    return
  }
  for (const size of ours) tally.record('Apple storage size', known.has(size), `${device.name}: ${size}`)
}

function checkPrices(device: Device, launchPrices: ReadonlyMap<string, number>, tally: Tally): void {
  if (!device.name.startsWith('iPhone')) return
  const cents = new Map<string, number>()
  for (const variant of device.variants) {
    const storage = attribute(variant, 'storage')
    if (storage !== undefined) cents.set(storage, variant.listCents)
  }
  const theirName = device.name
    .replace('(1st generation)', '')
    .replace('(2nd generation)', '2020')
    .replace('(3rd generation)', '2022')
    .replace(/^(iPhone 6)s/, '$1S')
    .trim()
  for (const [storage, own] of cents) {
    const gigabytes = storage.endsWith('TB') ? Number.parseInt(storage, 10) * 1024 : Number.parseInt(storage, 10)
    const known = launchPrices.get(`${theirName} ${gigabytes}`)
    if (known === undefined) tally.unknown('iPhone launch price')
    else tally.record('iPhone launch price', own === known, `${device.name} ${storage}: ${own}, known ${known}`)
  }
}

type PartPlacement = { identifiers: readonly string[]; storage: string; color: string; material: string }

function partPlacements(parts: readonly ApplePart[]): Map<string, PartPlacement[]> {
  const sites = new Map<string, PartPlacement[]>()
  for (const { Identifier, Models } of parts) {
    for (const model of Models) {
      const site = {
        identifiers: toList(Identifier),
        storage: plainStorage(model.Storage ?? ''),
        color: plainColor(model.Color ?? ''),
        material: (model.CaseMaterial ?? '').trim(),
      }
      for (const part of model.Model ?? []) pushTo(sites, part, site)
    }
  }
  return sites
}

function checkParts(
  device: Device,
  variant: Variant,
  sites: ReadonlyMap<string, readonly PartPlacement[]>,
  extra: ReadonlyMap<string, { device: string | undefined; storage: string | undefined }>,
  tally: Tally,
): void {
  const storage = attribute(variant, 'storage') ?? ''
  const color = attribute(variant, 'color') ?? ''
  const edition = attribute(variant, 'edition') ?? ''
  for (const part of variant.partNumbers) {
    const known = sites.get(part)
    const other = extra.get(part)
    const what = `${variant.name}: ${part}`
    if (known) {
      const fits = known.some(
        (site) =>
          site.identifiers.some((one) => device.modelIdentifiers.includes(one)) &&
          (site.storage === '' || site.storage === storage) &&
          (site.color === '' || site.color === color) &&
          (site.material === '' || site.material === edition),
      )
      tally.record('Apple part number', fits, what)
    } else if (other) {
      const fits = other.device === device.name && plainStorage(other.storage ?? '') === storage
      tally.record('Apple part number', fits, what)
    } else tally.disagree('Apple part number', `${what} is in no set`)
  }
}

function attribute(variant: Variant, name: string): string | undefined {
  return variant.attributes.find((one) => one.name === name)?.value
}

/** "1 T" is a slip of the set for 1 TB. */
function plainStorage(size: string): string {
  return size.replaceAll(' ', '').replace(/T$/, 'TB')
}

function plainColor(color: string): string {
  if (/^(\(PRODUCT\) ?RED|Red|PRODUCT ?\(?RED\)?)$/i.test(color)) return '(PRODUCT)RED'
  return color === 'Titanium' ? 'Natural' : color.replace('Space Grey', 'Space Gray')
}

function pushTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}
