import type { Device, Variant } from '../../src/catalog/device.ts'
import { type ApplePart, type AppleReferenceRecord, type CatalogueReferences, toList } from './reference-data.ts'
import type { Tally } from './tally.ts'

/** Names, A-numbers, identifiers, dates, colors, storage sizes, part numbers and prices of Apple's devices. */
export function checkApple(devices: readonly Device[], references: CatalogueReferences, tally: Tally): void {
  const byIdentifier = new Map<string, AppleReferenceRecord[]>()
  const identifiersOfNumber = new Map<string, Set<string>>()
  const groupsOf = new Map<string, Set<string>>()
  for (const record of references.appleDevices) {
    for (const identifier of toList(record.identifier)) pushTo(byIdentifier, identifier, record)
    for (const number of toList(record.model)) {
      const identifiers = identifiersOfNumber.get(number) ?? new Set()
      for (const identifier of toList(record.identifier)) identifiers.add(identifier)
      identifiersOfNumber.set(number, identifiers)
    }
  }
  for (const group of references.appleGroups) {
    for (const key of group.devices) groupsOf.set(key, (groupsOf.get(key) ?? new Set()).add(group.name))
  }
  const placements = partPlacements(references.appleParts)
  const extraParts = new Map(references.extraParts.map((row) => [row[4] ?? '', { device: row[0], storage: row[2] }]))
  const launchPrices = new Map(references.launchPrices.map((row) => [`${row[0]} ${row[2]}`, Number(row[3]) * 100]))

  for (const device of devices) {
    const candidates = [...new Set(device.modelIdentifiers.flatMap((identifier) => byIdentifier.get(identifier) ?? []))]
    for (const identifier of device.modelIdentifiers) {
      tally.record('Apple identifier', byIdentifier.has(identifier), `${device.name}: ${identifier}`)
    }
    if (candidates.length === 0) {
      tally.disagree('Apple name', `${device.name}: no record has one of its identifiers`)
      continue
    }
    // Some identifiers were used for several model years; the name selects the record.
    const namedRecords = candidates.filter((record) =>
      recordNames(record, groupsOf).some((name) => sameName(name, device.name)),
    )
    const records = namedRecords.length > 0 ? namedRecords : candidates
    const referenceName = recordNames(records[0], groupsOf).join(' / ')
    tally.record('Apple name', namedRecords.length > 0, `${device.name}: reference ${referenceName}`)

    for (const number of device.modelNumbers) {
      const owners = identifiersOfNumber.get(number)
      const isOwn =
        owners !== undefined &&
        (owners.size === 0 || device.modelIdentifiers.some((identifier) => owners.has(identifier)))
      tally.record('Apple A-number', isOwn, `${device.name}: ${number}`)
    }
    const days = records.flatMap((record) => toList(record.released)).sort()
    if (days[0] === undefined) tally.unknown('Apple release date')
    else {
      const releasedOn = device.releasedOn ?? ''
      tally.record(
        'Apple release date',
        releasedOn.startsWith(days[0]),
        `${device.name}: ${releasedOn}, reference ${days[0]}`,
      )
    }
    // The set does not state when earphones and players were discontinued, so only discontinued records are compared.
    if (records.every((record) => record.discontinued !== undefined)) {
      tally.record(
        'Apple status',
        device.status === 'discontinued',
        `${device.name}: ${device.status}, reference discontinued`,
      )
    } else tally.unknown('Apple status')

    checkColors(device, records, tally)
    checkStorage(device, records, references.appleParts, tally)
    checkPrices(device, launchPrices, tally)
    for (const variant of device.variants) checkParts(device, variant, placements, extraParts, tally)
  }
}

function recordNames(record: AppleReferenceRecord | undefined, groupsOf: Map<string, Set<string>>): string[] {
  if (!record) return []
  const key = record.key ?? toList(record.identifier)[0] ?? record.name
  return [record.name, ...(groupsOf.get(key) ?? [])]
}

/** The set has one record per radio, size and ear, such as "iPad (9th generation) Wi-Fi" and "AirPods 4 (Left)"; the catalogue does not. */
function sameName(referenceName: string, ownName: string): boolean {
  const normalize = (name: string) =>
    name
      .replace(/²/g, '2')
      .replace(/³/g, '3')
      .replace(/ Wi-Fi( \+ Cellular)?/, '')
      .replace(/ \((GPS|38mm|42mm|Left|Right|1TB|1 or 2 TB|TD-LTE|China Mainland|Global|GSM|CDMA)[^)]*\)/g, '')
      .replace(/, GPS( \+ Cellular)?, \d\dmm\)/, ')')
      .replace(/\((Left|Right), /, '(')
      .replace(/ Charging Case$/, '')
  return (
    referenceName === ownName || normalize(referenceName) === ownName || normalize(referenceName) === normalize(ownName)
  )
}

/** The set combines material and color of a watch: "Titanium - Slate"; just "Titanium" means the natural color. */
function checkColors(device: Device, records: readonly AppleReferenceRecord[], tally: Tally): void {
  const standard = records.filter((record) => !/ Edition| Collection| - /.test(record.name))
  const referenceColors = new Set(standard.flatMap((record) => toList(record.colors).map((color) => color.name)))
  const ownColors = new Map<string, { color: string; edition: string | undefined }>()
  for (const variant of device.variants) {
    const color = attribute(variant, 'color')
    const edition = device.category === 'Smartwatch' ? attribute(variant, 'edition') : undefined
    if (color !== undefined) ownColors.set(`${edition} ${color}`, { color, edition })
  }
  if (referenceColors.size === 0) {
    tally.unknown('Apple color', ownColors.size)
    return
  }
  for (const { color, edition } of ownColors.values()) {
    const spellings =
      edition === undefined || edition === 'Aluminum'
        ? [color]
        : [`${edition} - ${color}`, ...(color === 'Natural' ? [edition] : [])]
    tally.record(
      'Apple color',
      spellings.some((spelling) => referenceColors.has(spelling)),
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
  const referenceSizes = new Set(
    [
      ...records.flatMap((record) => toList(record.info).flatMap((block) => toList(block.Storage))),
      ...parts
        .filter((part) => toList(part.Identifier).some((identifier) => device.modelIdentifiers.includes(identifier)))
        .flatMap((part) => part.Models.flatMap((model) => model.Storage ?? [])),
    ].map(normalizeStorage),
  )
  const ownSizes = new Set(device.variants.flatMap((variant) => attribute(variant, 'storage') ?? []))
  if (referenceSizes.size === 0) {
    tally.unknown('Apple storage size', ownSizes.size)
    return
  }
  for (const size of ownSizes) tally.record('Apple storage size', referenceSizes.has(size), `${device.name}: ${size}`)
}

function checkPrices(device: Device, launchPrices: ReadonlyMap<string, number>, tally: Tally): void {
  if (!device.name.startsWith('iPhone')) return
  const cents = new Map<string, number>()
  for (const variant of device.variants) {
    const storage = attribute(variant, 'storage')
    if (storage !== undefined) cents.set(storage, variant.listCents)
  }
  const referenceName = device.name
    .replace('(1st generation)', '')
    .replace('(2nd generation)', '2020')
    .replace('(3rd generation)', '2022')
    .replace(/^(iPhone 6)s/, '$1S')
    .trim()
  for (const [storage, ownCents] of cents) {
    const gigabytes = storage.endsWith('TB') ? Number.parseInt(storage, 10) * 1024 : Number.parseInt(storage, 10)
    const referenceCents = launchPrices.get(`${referenceName} ${gigabytes}`)
    if (referenceCents === undefined) tally.unknown('iPhone launch price')
    else {
      const agrees = ownCents === referenceCents
      tally.record('iPhone launch price', agrees, `${device.name} ${storage}: ${ownCents}, reference ${referenceCents}`)
    }
  }
}

type PartPlacement = { identifiers: readonly string[]; storage: string; color: string; material: string }

function partPlacements(parts: readonly ApplePart[]): Map<string, PartPlacement[]> {
  const placements = new Map<string, PartPlacement[]>()
  for (const { Identifier, Models } of parts) {
    for (const model of Models) {
      const placement = {
        identifiers: toList(Identifier),
        storage: normalizeStorage(model.Storage ?? ''),
        color: normalizeColor(model.Color ?? ''),
        material: (model.CaseMaterial ?? '').trim(),
      }
      for (const part of model.Model ?? []) pushTo(placements, part, placement)
    }
  }
  return placements
}

function checkParts(
  device: Device,
  variant: Variant,
  placements: ReadonlyMap<string, readonly PartPlacement[]>,
  extraParts: ReadonlyMap<string, { device: string | undefined; storage: string | undefined }>,
  tally: Tally,
): void {
  const storage = attribute(variant, 'storage') ?? ''
  const color = attribute(variant, 'color') ?? ''
  const edition = attribute(variant, 'edition') ?? ''
  for (const part of variant.partNumbers) {
    const partPlacements = placements.get(part)
    const extraPart = extraParts.get(part)
    const label = `${variant.name}: ${part}`
    if (partPlacements) {
      const fits = partPlacements.some(
        (placement) =>
          placement.identifiers.some((identifier) => device.modelIdentifiers.includes(identifier)) &&
          (placement.storage === '' || placement.storage === storage) &&
          (placement.color === '' || placement.color === color) &&
          (placement.material === '' || placement.material === edition),
      )
      tally.record('Apple part number', fits, label)
    } else if (extraPart) {
      const fits = extraPart.device === device.name && normalizeStorage(extraPart.storage ?? '') === storage
      tally.record('Apple part number', fits, label)
    } else tally.disagree('Apple part number', `${label} is in no set`)
  }
}

function attribute(variant: Variant, name: string): string | undefined {
  return variant.attributes.find((candidate) => candidate.name === name)?.value
}

/** The set has the typing error "1 T" for 1 TB. */
function normalizeStorage(size: string): string {
  return size.replaceAll(' ', '').replace(/T$/, 'TB')
}

function normalizeColor(color: string): string {
  if (/^(\(PRODUCT\) ?RED|Red|PRODUCT ?\(?RED\)?)$/i.test(color)) return '(PRODUCT)RED'
  return color === 'Titanium' ? 'Natural' : color.replace('Space Grey', 'Space Gray')
}

function pushTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}
