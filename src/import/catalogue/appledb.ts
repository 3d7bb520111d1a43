/** AppleDB's device files: records per radio variant are grouped into devices. */
import * as z from 'zod'
import type { Attribute } from '../../catalog/device.ts'
import { parseReleaseDate } from '../../catalog/release-date.ts'
import { MAX_NAME_CHARS } from '../read/limits.ts'
import type { DeviceDraft, VariantDraft } from './device-draft.ts'
import { cleanText, withoutRadio } from './names.ts'

const textSchema = z.string().max(MAX_NAME_CHARS)
const oneOrManySchema = z.union([textSchema, z.array(textSchema)]).optional()

export const appleRecordSchema = z.object({
  name: textSchema.min(1),
  key: textSchema.optional(),
  type: textSchema,
  identifier: oneOrManySchema,
  model: oneOrManySchema,
  released: oneOrManySchema,
  discontinued: oneOrManySchema,
  soc: oneOrManySchema,
  colors: z.array(z.object({ name: textSchema, discontinued: oneOrManySchema })).optional(),
  internal: z.boolean().optional(),
  info: z.array(z.record(z.string(), z.unknown())).optional(),
})
export type AppleRecord = z.infer<typeof appleRecordSchema>

const groupMembersSchema = z.object({ name: textSchema.min(1), devices: z.array(z.string()).default([]) })

/** A group may be a series ("iPhone 12" with the mini); then its subgroups are the devices. */
export const appleGroupSchema = groupMembersSchema.extend({ subgroups: z.array(groupMembersSchema).optional() })
export type AppleGroup = z.infer<typeof appleGroupSchema>

/** AppleDB's types by our categories; other types (software, base stations, servers) are skipped. */
const TYPES_BY_CATEGORY = {
  Smartphone: 'iPhone',
  Tablet: 'iPad, iPad Air, iPad Pro, iPad mini',
  Smartwatch: 'Apple Watch',
  Laptop: 'MacBook, MacBook Air, MacBook Pro, MacBook Neo, iBook, PowerBook',
  Desktop: 'iMac, eMac, Mac mini, Mac Pro, Mac Studio, Macintosh, PowerMac',
  Earbuds: 'AirPods, Beats Earbuds',
  Headphones: 'Beats Headphones',
  Speaker: 'Beats Speakers',
  'Smart Speaker': 'HomePod',
  'Streaming Player': 'Apple TV',
  'Media Player': 'iPod, iPod mini, iPod nano, iPod shuffle, iPod touch',
  'VR Headset': 'Headset',
  Tracker: 'AirTag',
  Accessory: 'Apple Pencil',
  Display: 'Display',
}
const CATEGORIES = new Map(
  Object.entries(TYPES_BY_CATEGORY).flatMap(([category, types]) => types.split(', ').map((type) => [type, category])),
)

export function appleCategory(type: string): string | undefined {
  return CATEGORIES.get(type)
}

export type AppleMember = { readonly record: AppleRecord; readonly line: number }

/** Lookups in the catalogue: the device of a name, and the devices with a model number. */
type AppleLookup = {
  readonly findByName: (name: string) => string | undefined
  readonly findByModel: (model: string) => readonly string[]
}

const EMPTY_REGISTRY: AppleLookup = { findByName: () => undefined, findByModel: () => [] }

/**
 * One draft per group, and one per record without a group. `today` decides what is still sold. A group that is not in the
 * catalogue, but whose model numbers belong to several devices there, is split into its records.
 */
export function* appleDrafts(
  members: readonly AppleMember[],
  groups: readonly AppleGroup[],
  today: string,
  lookup: AppleLookup = EMPTY_REGISTRY,
  reject: (line: number, reason: string, name: string) => void = () => {},
): Generator<DeviceDraft> {
  const groupByKey = new Map<string, string>()
  // A part may belong to several groups (a case that fits two generations): the first one has it.
  for (const series of groups) {
    for (const group of series.subgroups?.length ? series.subgroups : [series]) {
      for (const key of group.devices) groupByKey.getOrInsert(key, group.name)
    }
  }
  const membersByName = new Map<string, AppleMember[]>()
  for (const member of members) {
    const { record } = member
    const keys = [record.key, ...toList(record.identifier)].filter((key) => key !== undefined)
    const group = keys.map((key) => groupByKey.get(key)).find((name) => name !== undefined)
    if (group === undefined && /\bcase\b/i.test(record.name)) {
      reject(member.line, 'charging case, not a device', record.name)
      continue
    }
    const name = cleanText(group ?? withoutPartOrRadio(record.name))
    membersByName.getOrInsertComputed(name, () => []).push(member)
  }
  for (const [name, groupMembers] of membersByName) {
    const numbers = groupMembers.flatMap(({ record }) => toList(record.model))
    const existingIds = new Set(numbers.flatMap((number) => lookup.findByModel(number)))
    if (existingIds.size <= 1 || lookup.findByName(name)) yield appleDraft(name, groupMembers, today)
    else
      for (const member of groupMembers)
        yield appleDraft(withoutPartOrRadio(cleanText(member.record.name)), [member], today)
  }
}

/** "AirPods (Left, 1st generation)" and "iPhone 5 (GSM)" without a group: the part or radio goes, the generation stays. */
function withoutPartOrRadio(name: string): string {
  return withoutRadio(
    name
      .replace(/\((?:left|right|case|charging case|magsafe case)(?:, )?/i, '(')
      .replace(/\s*\(\)/, '')
      .replace(/\((?:Wi-?Fi|Cellular|GSM|CDMA|Global|China|LTE|MM|TD-LTE)(?:, )/i, '('),
  )
}

function appleDraft(name: string, members: readonly AppleMember[], today: string): DeviceDraft {
  const records = members.map((member) => member.record)
  const released = records
    .flatMap((record) => toList(record.released))
    .map(parseReleaseDate)
    .filter((date) => date !== null)
    .sort((a, b) => (a.day < b.day ? -1 : 1))[0]
  const chip = [...new Set(records.flatMap((record) => toList(record.soc)))].join(', ')
  return {
    make: 'Apple',
    name,
    category: appleCategory(records[0]?.type ?? ''),
    releasedOn: released?.day,
    releasePrecision: released?.precision,
    status: records.every((record) => isDiscontinued(record, today)) ? 'discontinued' : 'active',
    modelNumbers: [...new Set(records.flatMap((record) => toList(record.model)))],
    modelIdentifiers: [...new Set(records.flatMap((record) => toList(record.identifier)))],
    specifications: chip ? { chip: `Apple ${chip}`.replace(/^Apple Apple /, 'Apple ') } : {},
    variants: appleVariants(records),
    // An A-number finds a device that we call otherwise. Years of a Mac share one, but never an identifier.
    modelNumbersAreUnique: true,
    identifiersMustAgree: true,
    source: 'appledb',
    line: members[0]?.line ?? 0,
  }
}

/** The last day of sale is past. The list also has the dates of single colors, so all colors must be discontinued too. */
function isDiscontinued(record: AppleRecord, today: string): boolean {
  const days = [...toList(record.discontinued)].sort()
  const lastDay = days.at(-1)
  if (lastDay === undefined || lastDay > today) return false
  return (record.colors ?? []).every((color) => color.discontinued !== undefined) || days.length === 1
}

/** Every color, by storage if the record has it. AppleDB has no prices. */
function appleVariants(records: readonly AppleRecord[]): VariantDraft[] {
  const colors = new Set(records.flatMap((record) => record.colors ?? []).map((color) => cleanText(color.name)))
  const storages = new Set(records.flatMap(storagesOf))
  const models = [...new Set(records.flatMap((record) => toList(record.model)))]
  const toAttributes = (name: string, values: Set<string>): (Attribute | undefined)[] =>
    values.size ? [...values].map((value) => ({ name, value })) : [undefined]
  if (colors.size + storages.size === 0) return []
  return toAttributes('storage', storages).flatMap((storage) =>
    toAttributes('color', colors).map((color) => ({
      attributes: [storage, color].filter((attribute) => attribute !== undefined),
      modelNumbers: models,
    })),
  )
}

function storagesOf(record: AppleRecord): string[] {
  const sizes: string[] = []
  for (const block of record.info ?? []) {
    const storage = (block as { Storage?: unknown }).Storage
    for (const value of Array.isArray(storage) ? storage : [storage]) {
      if (typeof value !== 'string') continue
      for (const size of value.match(/\d+\s?(?:GB|TB)/g) ?? []) sizes.push(size.replace(/\s/g, ''))
    }
  }
  return sizes
}

function toList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}
