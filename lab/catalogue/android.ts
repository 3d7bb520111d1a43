import type { Device } from '../../src/catalog/device.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { type CatalogueReferences, toList } from './reference-data.ts'
import type { Tally } from './tally.ts'

/** Brands of the certified list for each make; by default the make itself. */
const BRANDS_OF_MAKE: Readonly<Record<string, readonly string[]>> = {
  Xiaomi: ['xiaomi', 'redmi', 'poco', 'blackshark'],
  Nothing: ['nothing', 'cmf by nothing'],
  LG: ['lge'],
  Alcatel: ['tct (alcatel)', 'tcl'],
  Lenovo: ['lenovo', 'motorola'],
  Essential: ['essential products'],
  Nokia: ['nokia', 'hmd global'],
  HMD: ['hmd', 'hmd global'],
  Honor: ['honor', 'huawei'],
  nubia: ['nubia', 'redmagic', 'zte'],
  vivo: ['vivo', 'iqoo'],
  realme: ['realme', 'oppo'],
}

/** In lower case. */
export function brandsOf(make: string): readonly string[] {
  return BRANDS_OF_MAKE[make] ?? [make.toLowerCase()]
}

/** Names in the certified list that differ from the usual name of the device. */
const CERTIFIED_AS: Readonly<Record<string, readonly string[]>> = {
  // Acer certifies code names.
  'acer-iconia-tab-p10': ['Frontier'],
  'acer-iconia-tab-m10': ['Battlezone'],
  'acer-iconia-tab-a10': ['Tattoo'],
  'acer-iconia-tab-p11': ['P11'],
  'acer-iconia-tab-a11': ['A11M1'],
  'acer-iconia-tab-v11': ['V11M1'],
  'acer-iconia-tab-v12': ['V12M1'],
  'acer-iconia-x12': ['X12M1'],
  'google-chromecast-with-google-tv-4k': ['Chromecast Google TV'],
  'google-chromecast-with-google-tv-hd': ['Chromecast Google TV (HD)'],
  'motorola-thinkphone': ['ThinkPhone by Motorola'],
  'nothing-cmf-phone-1': ['CMF by Nothing Phone 1'],
  'nvidia-shield-tv-2017': ['SHIELD Android TV'],
  'essential-phone': ['PH-1'],
  'asus-zenfone-7-pro': ['ZenFone 7 / 7 Pro (ZS670KS/ZS671KS)'],
  'asus-zenfone-max-m1': ['ZenFone Max M1 (ZB556KL) / ZenFone Max M1/M2/M3 (ZB555KL)'],
  'asus-rog-phone-5-pro': ['ROG Phone 5 series'],
  'asus-rog-phone-5s': ['ROG Phone 5 series'],
  'asus-rog-phone-6-pro': ['ROG Phone 6 series'],
  'asus-rog-phone-8-pro': ['ROG Phone 8 series'],
  'htc-desire-22-pro': ['HTC Desire 22 5G'],
  'lg-g-pad-5-10-1': ['G Pad 5 10.1 FHD'],
  'fairphone-gen-6': ['The Fairphone (Gen. 6)'],
  'huawei-mate-20-x': ['Huwei Mate 20 X'],
  'huawei-mediapad-m5-lite-10': ['HUAWEI MediaPad M5 lite'],
  'infinix-smart-7': ['SMART 7  or SMART 7 PLUS'],
  'lenovo-tab-m10-fhd-plus-2nd-gen': ['Lenovo Tab M10 FHD Plus'],
  'lenovo-tab-p11-gen-2': ['Lenovo Tab P11 (2nd Gen)'],
  'lenovo-tab-p11-pro-gen-2': ['Lenovo Tab P11 Pro (2nd Gen)'],
  'lenovo-legion-tab-gen-5': ['平板拯救者Y700 五代'],
  'lenovo-thinktab-x11': ['Lenovo ThinkTab X11 Gen 1 / Lenovo ThinkTab X11 (EG)'],
  'lenovo-tab-m10-fhd-rel': ['Lenovo Tab M10 (FHD)'],
  'lenovo-yoga-tab-13': ['Yoga Tab 13(ROW)'],
  'motorola-edge-20': ['motorola edge 轻奢版'],
  'motorola-edge-20-pro': ['motorola edge s pro'],
  'motorola-moto-g100': ['motorola edge s'],
  'motorola-moto-g100-2025': ['moto g67 power 5G'],
  'motorola-moto-s30-pro': ['moto S30'],
  'motorola-razr-5g': ['XT2071-4'],
  'motorola-razr-50-ultra': ['moto razr 50'],
  'oneplus-7t-pro-5g-mclaren': ['OnePlus 7T Pro 5G'],
  'oneplus-ace-racing': ['OnePlus Ace 竞速版'],
  'oneplus-ace-2v': ['PHP110'],
  'oneplus-ace-5-ultra': ['OnePlus Ace 5 至尊版'],
  'oneplus-ace-5-racing': ['OnePlus Ace 5 竞速版'],
  'oneplus-ace-6t': ['一加 Ace 6T'],
  'oneplus-ace-6-ultra': ['OnePlus Ace 6 至尊版'],
  'oneplus-pad-3-pro': ['一加平板 3 Pro'],
  'oneplus-pad-pro': ['一加平板Pro'],
  'oneplus-pad-2-pro': ['一加平板 2 Pro'],
  'realme-gt3': ['realme GT3 240W'],
  'realme-gt-explorer-master': ['realme GT Explorer Master Edition'],
  'realme-gt2-explorer-master': ['真我 GT2 大师探索版'],
  'realme-gt7-pro-racing': ['真我GT7 Pro竞速版'],
  'realme-gt-neo-flash': ['真我GT Neo 闪速版'],
  'realme-x50-pro-player': ['realme X50 Pro Play'],
  'realme-q3-pro-carnival': ['realme Q3 Pro Play'],
  'realme-x7-pro-extreme': ['realme X7Pro Ultra', '真我 X7 pro至尊版'],
  'nubia-redmagic-11-pro': ['红魔11 Pro游戏手机'],
  'samsung-galaxy-a6s': ['SM-G6200'],
  'samsung-galaxy-j2-pro-2018': ['Galaxy J2'],
  // Names of US carriers for the J3 and J7 of 2018.
  'samsung-galaxy-j3-2018': ['Galaxy J3 Achieve', 'Galaxy J3 Aura', 'Galaxy J3 Star', 'Galaxy J3 V', 'Galaxy J3 Orbit'],
  'samsung-galaxy-j7-2018': ['Galaxy J7 Refine', 'Galaxy J7 Aura', 'Galaxy J7 Star', 'Galaxy J7 Crown'],
  'samsung-galaxy-s-light-luxury': ['Galaxy S 轻奢版'],
  'samsung-galaxy-wide6': ['Galaxy A13 5G'],
  'samsung-galaxy-m21-2021': ['Galaxy M21 2021 Edition'],
  'samsung-galaxy-note-fe': ['Galaxy Note Fan Edition'],
  'samsung-galaxy-tab-a-8-0-2018': ['Galaxy Tab A 8', 'Galaxy Tab A 8.0'],
  'samsung-galaxy-tab-a-10-1-2019': ['Galaxy Tab A'],
  'samsung-galaxy-tab-a-8-0-with-s-pen-2019': ['Galaxy Tab A with S Pen'],
  'samsung-galaxy-tab-a-8-0-2019': ['Galaxy Tab A Kids Edition'],
  'samsung-galaxy-tab-a7-10-4-2022': ['Galaxy Tab A7'],
  'xiaomi-12-pro-dimensity-edition': ['Xiaomi 12 Pro Dimensity'],
  'xiaomi-redmi-k50-gaming': ['Redmi K50G'],
  'xiaomi-redmi-note-12-discovery': ['Redmi Note 12 DISCOVERY EDITION'],
  'xiaomi-redmi-pad-se-8-7-4g': ['Redmi Pad SE 4G'],
  'xiaomi-pad-5-pro-12-4': ['Xiaomi Pad 5 Pro'],
}

export const ANDROID_CATEGORIES = new Set(['Smartphone', 'Tablet', 'Smartwatch', 'Streaming Player'])
const HALF_YEAR_DAYS = 190

export type CertifiedNames = (make: string, model: string) => readonly string[]

export function certifiedNames(references: CatalogueReferences): CertifiedNames {
  const names = new Map<string, Set<string>>()
  for (const [brand = '', name = '', , model = ''] of references.playRows) {
    const key = `${brand.toLowerCase()} ${model.toUpperCase()}`
    names.set(key, (names.get(key) ?? new Set()).add(name))
  }
  return (make, model) => brandsOf(make).flatMap((brand) => [...(names.get(`${brand} ${model.toUpperCase()}`) ?? [])])
}

/** Compares model codes and build names with the certified list, specifications and dates with LineageOS. */
export function checkAndroid(devices: readonly Device[], references: CatalogueReferences, tally: Tally): void {
  const namesOf = certifiedNames(references)
  const buildsOf = new Map<string, Set<string>>()
  for (const [, , build = '', model = ''] of references.playRows) {
    buildsOf.set(model.toUpperCase(), (buildsOf.get(model.toUpperCase()) ?? new Set()).add(build))
  }
  const byBrand = Map.groupBy(references.playRows, ([brand = '']) => brand.toLowerCase())
  const rowsOf = (make: string) => brandsOf(make).flatMap((brand) => byBrand.get(brand) ?? [])
  const lineageOf = new Map(
    references.lineage.flatMap((entry) => toList(entry.models).map((code) => [code, entry] as const)),
  )

  for (const device of devices) {
    if (!ANDROID_CATEGORIES.has(device.category)) {
      tally.unknown('Other model number', device.modelNumbers.length)
      continue
    }
    const ownRows = rowsOf(device.make).filter(([, name = '']) => matchesCertifiedName(device, name))
    const builds = new Set(ownRows.map(([, , build = '']) => build))
    let isCertified = ownRows.length > 0
    for (const model of device.modelNumbers) {
      // Half of the list repeats the code instead of a name.
      const names = namesOf(device.make, model).filter((name) => name.toUpperCase() !== model.toUpperCase())
      if (names.length === 0) {
        tally.unknown('Android model code')
        continue
      }
      isCertified = true
      const agrees = names.some((name) => matchesCertifiedName(device, name))
      tally.record('Android model code', agrees, `${device.name}: ${model} is ${names.join(' / ')}`)
    }
    if (isCertified) {
      for (const model of device.modelNumbers)
        for (const build of buildsOf.get(model.toUpperCase()) ?? []) builds.add(build)
      for (const build of device.modelIdentifiers) {
        tally.record('Android build name', builds.has(build), `${device.name}: ${build}`)
      }
    }
    const lineage = device.modelNumbers.map((model) => lineageOf.get(model)).find((entry) => entry !== undefined)
    checkSpecifications(device, lineage, tally)
  }
}

/**
 * Ignores differences in spelling: "5G" or "4G" may be missing on either side, years appear as "- 2024", "(2024)" or "2024", a
 * model code, a market or "series" may follow, and prefixes vary.
 */
export function matchesCertifiedName(device: Device, certified: string): boolean {
  if (CERTIFIED_AS[device.id]?.includes(certified)) return true
  const normalize = (name: string) => normalizedName(device.make, name).replace(/[45]g/, '')
  const ownNames = [device.name, device.name.replace(/ \((\d{4}|Japan|India|China)\)$/, '')].map(normalize)
  return certified.split(' / ').some((name) => ownNames.includes(normalize(name)))
}

/** Cached, because every device is compared with every row of its make. */
const normalizedNames = new Map<string, string>()
function normalizedName(make: string, name: string): string {
  const key = `${make}/${name}`
  let normalized = normalizedNames.get(key)
  if (normalized === undefined) {
    const words = name
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace('™', '')
      .replaceAll(' plus', '+')
      .replace(/ 5g uw\b/, ' 5g')
      .replace(/ \((ww|in|z[a-z]\d{3}[a-z]{2})\)/g, '')
      .replace(/ series$/, '')
    normalized = words.replace(new RegExp(`^(${make.toLowerCase()}|moto)(?=[ \\da-z])`), '').replace(/[^a-z0-9+]/g, '')
    normalizedNames.set(key, normalized)
  }
  return normalized
}

function checkSpecifications(
  device: Device,
  reference: CatalogueReferences['lineage'][number] | undefined,
  tally: Tally,
): void {
  const { battery, display } = device.specifications
  const capacity = reference?.battery?.capacity
  if (battery !== undefined && capacity !== undefined) {
    const agrees = Number.parseInt(battery, 10) === Number(capacity)
    tally.record('Android battery', agrees, `${device.name}: ${battery}, reference ${capacity}`)
  } else if (battery !== undefined) tally.unknown('Android battery')

  const inches = Number(reference?.screen?.size)
  if (display !== undefined && inches > 0) {
    const agrees = Math.abs(Number.parseFloat(display) - inches) < 0.1
    tally.record('Android display', agrees, `${device.name}: ${display}, reference ${inches}`)
  } else if (display !== undefined) tally.unknown('Android display')

  const released = toList(reference?.release)[0]
  if (device.releasedOn === null || typeof released !== 'string') {
    tally.unknown('Android release date')
    return
  }
  // The catalogue has the US release, LineageOS the first release anywhere; either may have only the year.
  const days = Math.abs(Date.parse(device.releasedOn) - Date.parse(released)) / DAY_MS
  const agrees = days <= HALF_YEAR_DAYS || device.releasedOn.slice(0, 4) === released.slice(0, 4)
  tally.record('Android release date', agrees, `${device.name}: ${device.releasedOn}, reference ${released}`)
}
