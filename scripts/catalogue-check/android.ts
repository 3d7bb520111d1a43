import type { Device } from '../../src/catalog/device.ts'
import { list, type References } from './reference.ts'
import type { Tally } from './tally.ts'

/** Brands of the certified list that stand for one of our makes; where none is given the make itself is the brand. */
const BRANDS: Readonly<Record<string, readonly string[]>> = {
  Xiaomi: ['xiaomi', 'redmi', 'poco'],
  Nothing: ['nothing', 'cmf by nothing'],
  LG: ['lge'],
  Essential: ['essential products'],
}

/** Names under which the certified list knows a device that people call otherwise. */
const CERTIFIED_AS: Readonly<Record<string, readonly string[]>> = {
  'google-chromecast-with-google-tv-4k': ['Chromecast Google TV'],
  'google-chromecast-with-google-tv-hd': ['Chromecast Google TV (HD)'],
  'motorola-thinkphone': ['ThinkPhone by Motorola'],
  'nothing-cmf-phone-1': ['CMF by Nothing Phone 1'],
  'nvidia-shield-tv-2017': ['SHIELD Android TV'],
  'essential-phone': ['PH-1'],
}

const ANDROID_CATEGORIES = new Set(['Smartphone', 'Tablet', 'Smartwatch', 'Streaming Player'])
const HALF_YEAR_DAYS = 190

export type CertifiedNames = (make: string, model: string) => readonly string[]

export function certifiedNames(references: References): CertifiedNames {
  const names = new Map<string, Set<string>>()
  for (const [brand = '', name = '', , model = ''] of references.playRows) {
    const key = `${brand.toLowerCase()} ${model.toUpperCase()}`
    names.set(key, (names.get(key) ?? new Set()).add(name))
  }
  return (make, model) =>
    (BRANDS[make] ?? [make.toLowerCase()]).flatMap((brand) => [...(names.get(`${brand} ${model.toUpperCase()}`) ?? [])])
}

/** Model codes and build names against the certified list, specifications and dates against LineageOS. */
export function checkAndroid(devices: readonly Device[], references: References, tally: Tally): void {
  const namesOf = certifiedNames(references)
  const buildsOf = new Map<string, Set<string>>()
  for (const [, , build = '', model = ''] of references.playRows) {
    buildsOf.set(model.toUpperCase(), (buildsOf.get(model.toUpperCase()) ?? new Set()).add(build))
  }
  const lineageOf = new Map(references.lineage.flatMap((one) => list(one.models).map((code) => [code, one] as const)))

  for (const device of devices) {
    if (!ANDROID_CATEGORIES.has(device.category)) {
      tally.unknown('Other model number', device.modelNumbers.length)
      continue
    }
    let isCertified = false
    for (const model of device.modelNumbers) {
      const names = namesOf(device.make, model)
      if (names.length === 0) {
        tally.unknown('Android model code')
        continue
      }
      isCertified = true
      const agrees = names.some((name) => isCalled(device, name))
      tally.settle('Android model code', agrees, `${device.name}: ${model} is ${names.join(' / ')}`)
    }
    if (isCertified) {
      const builds = new Set(device.modelNumbers.flatMap((model) => [...(buildsOf.get(model.toUpperCase()) ?? [])]))
      for (const build of device.modelIdentifiers) {
        tally.settle('Android build name', builds.has(build), `${device.name}: ${build}`)
      }
    }
    const lineage = device.modelNumbers.map((model) => lineageOf.get(model)).find((one) => one !== undefined)
    checkSpecifications(device, lineage, tally)
  }
}

/** "5G" is said by the list and left out by people; years come as "- 2024", "(2024)" or bare. */
export function isCalled(device: Device, certified: string): boolean {
  if (CERTIFIED_AS[device.id]?.includes(certified)) return true
  const make = device.make.toLowerCase()
  const plain = (name: string) => {
    const words = name
      .toLowerCase()
      .replace('™', '')
      .replaceAll(' plus', '+')
      .replace(/ 5g uw\b/, ' 5g')
    return words.replace(new RegExp(`^${make}(?=[ \\d]|[a-z])`), '').replace(/[^a-z0-9+]/g, '')
  }
  const ours = [plain(device.name), plain(device.name.replace(/ \(\d{4}\)$/, ''))]
  return certified.split(' / ').some((name) => {
    const theirs = plain(name)
    return ours.includes(theirs) || ours.includes(theirs.replace('5g', ''))
  })
}

function checkSpecifications(device: Device, known: References['lineage'][number] | undefined, tally: Tally): void {
  const { battery, display } = device.specifications
  const capacity = known?.battery?.capacity
  if (battery !== undefined && capacity !== undefined) {
    const agrees = Number.parseInt(battery, 10) === Number(capacity)
    tally.settle('Android battery', agrees, `${device.name}: ${battery}, known ${capacity}`)
  } else if (battery !== undefined) tally.unknown('Android battery')

  const inches = Number(known?.screen?.size)
  if (display !== undefined && inches > 0) {
    const agrees = Math.abs(Number.parseFloat(display) - inches) < 0.1
    tally.settle('Android display', agrees, `${device.name}: ${display}, known ${inches}`)
  } else if (display !== undefined) tally.unknown('Android display')

  const released = list(known?.release)[0]
  if (device.releasedOn === null || typeof released !== 'string') {
    tally.unknown('Android release date')
    return
  }
  // Ours is the day it came to the United States, theirs the first anywhere, and either may know only the year.
  const days = Math.abs(Date.parse(device.releasedOn) - Date.parse(released)) / 86_400_000
  const agrees = days <= HALF_YEAR_DAYS || device.releasedOn.slice(0, 4) === released.slice(0, 4)
  tally.settle('Android release date', agrees, `${device.name}: ${device.releasedOn}, known ${released}`)
}
