import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseCsv } from '../../src/import/read/csv-reader.ts'

/** The reference sets are stored beside the checkout and are not part of the project. */
export function findReferenceFolder(root: string, chosen: string | undefined): string | undefined {
  const places = chosen ? [resolve(chosen)] : ['../shared/data', '../../shared/data'].map((path) => resolve(root, path))
  return places.find((place) => existsSync(`${place}/appledb-devices/devices.json`))
}

type OneOrMany<Value> = Value | readonly Value[] | undefined

/** These sets have single values and lists under the same key. */
export function toList<Value>(value: OneOrMany<Value>): readonly Value[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value as Value]
}

export type AppleReferenceRecord = {
  readonly name: string
  readonly type: string
  readonly key?: string
  readonly identifier?: OneOrMany<string>
  readonly model?: OneOrMany<string>
  readonly released?: OneOrMany<string>
  readonly discontinued?: OneOrMany<string>
  readonly colors?: readonly { readonly name: string }[]
  readonly info?: readonly { readonly type: string; readonly Storage?: OneOrMany<string> }[]
}
export type AppleReferenceGroup = { readonly name: string; readonly devices: readonly string[] }
export type ApplePart = {
  readonly Generation: string
  readonly Identifier: OneOrMany<string>
  readonly Models: readonly {
    readonly Color?: string
    readonly Storage?: string
    readonly CaseMaterial?: string
    readonly Model?: readonly string[]
  }[]
}

const PART_FILES = ['airpods', 'apple_tv', 'apple_watch', 'homepod', 'ipad', 'ipad_air', 'ipad_mini', 'ipad_pro']

export function readCatalogueReferences(folder: string) {
  const json = <Value>(path: string) => JSON.parse(readFileSync(`${folder}/${path}`, 'utf8')) as Value
  const csv = (path: string) => parseCsv(readFileSync(`${folder}/${path}`, 'utf8'))
  return {
    appleDevices: json<AppleReferenceRecord[]>('appledb-devices/devices.json'),
    appleGroups: json<AppleReferenceGroup[]>('appledb-devices/device_groups.json'),
    appleParts: [...PART_FILES, 'iphone', 'ipod_touch'].flatMap((name) =>
      json<ApplePart[]>(`ios-device-list/${name}.json`),
    ),
    extraParts: csv('apple-part-numbers-extra/part_numbers.csv').slice(1),
    playRows: csv('google-play-certified-2026/certified_devices.csv').slice(1),
    consoleRows: csv('google-play-console-catalog-2025/android-devices-catalog.csv').slice(1),
    lineage: json<LineageReferenceRecord[]>('lineageos-devices/devices.json'),
    samsungTacs: csv('samsung-tacs-bifrost/tacs.csv').slice(1),
    // A licence banner and the header stand first.
    osmocomTacs: csv('osmocom-tacdb/tacdb.csv').slice(2),
    launchPrices: csv('prices/launch_prices.csv').slice(1),
    phones: rowsToRecords<PhoneRecord>(csv('phone-specs-half/phones.csv')),
  }
}
export type CatalogueReferences = ReturnType<typeof readCatalogueReferences>

/** A row of the collection of specifications, as written there. */
export type PhoneRecord = Readonly<
  Record<
    'make' | 'name' | 'weight' | 'display_size' | 'resolution' | 'chipset' | 'memory' | 'battery' | 'models',
    string
  >
>

function rowsToRecords<Row>([header = [], ...rows]: string[][]): Row[] {
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])) as Row)
}

export type LineageReferenceRecord = {
  readonly vendor?: string
  readonly name?: string
  readonly models?: OneOrMany<string>
  readonly release?: OneOrMany<string>
  readonly battery?: { readonly capacity?: string }
  readonly screen?: { readonly size?: string }
}
