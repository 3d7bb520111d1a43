/** Device data as the LineageOS wiki keeps it: one record per device with its specifications. */
import * as z from 'zod'
import { parseReleaseDate } from '../../catalog/release-date.ts'
import { MAX_NAME_CHARS } from '../read/limits.ts'
import type { DeviceDraft, VariantDraft } from './device-draft.ts'
import { resolveMake } from './makes.ts'
import { cleanText, withLine, withoutRadio } from './names.ts'

/** YAML gives numbers where JSON copies give text. */
const textSchema = z.union([z.string().max(MAX_NAME_CHARS), z.number()]).transform(String)
const optionalTextSchema = textSchema.optional().catch(undefined)

export const lineageRecordSchema = z.object({
  vendor: z.string().min(1).max(MAX_NAME_CHARS),
  name: textSchema,
  codename: textSchema,
  models: z.array(textSchema).optional().catch(undefined),
  type: optionalTextSchema,
  release: z
    .union([
      textSchema,
      z.array(z.record(z.string(), textSchema)).transform((dates) => Object.values(dates[0] ?? {})[0] ?? ''),
    ])
    .optional()
    .catch(undefined),
  storage: optionalTextSchema,
  ram: optionalTextSchema,
  soc: optionalTextSchema,
  cpu: optionalTextSchema,
  gpu: optionalTextSchema,
  battery: z.object({ capacity: optionalTextSchema }).optional().catch(undefined),
  screen: z
    .object({ size: optionalTextSchema, resolution: optionalTextSchema, technology: optionalTextSchema })
    .optional()
    .catch(undefined),
  cameras: z
    .array(z.object({ info: optionalTextSchema }))
    .optional()
    .catch(undefined),
  dimensions: z
    .object({ height: optionalTextSchema, width: optionalTextSchema, depth: optionalTextSchema })
    .optional()
    .catch(undefined),
  network: z.array(textSchema).optional().catch(undefined),
})
export type LineageRecord = z.infer<typeof lineageRecordSchema>

const CATEGORIES: Readonly<Record<string, string>> = {
  phone: 'Smartphone',
  'phone (slider)': 'Smartphone',
  foldable: 'Smartphone',
  tablet: 'Tablet',
  'handheld game console': 'Game Console',
  'set top box': 'Streaming Player',
  tv: 'TV',
}

function lineageCategory(type: string): string | undefined {
  return CATEGORIES[type.toLowerCase()]
}

/** The wiki lists a board once per build that runs on it. */
const BUILD_SUFFIX = /\s*[[(](?:tablet|android tv)[\])]/i

export function lineageDraft(
  record: LineageRecord,
  line: number,
  catalogueSpelling: (key: string) => string | undefined,
): DeviceDraft {
  const { make, line: lineWord } = resolveMake(record.vendor, catalogueSpelling)
  const released = record.release ? parseReleaseDate(record.release) : null
  const { screen, dimensions } = record
  const specifications: Record<string, string> = {}
  const addSpecification = (key: string, value: string | undefined) => {
    const cleaned = cleanText(value ?? '')
    if (cleaned) specifications[key] = cleaned
  }
  addSpecification('chip', record.soc)
  addSpecification('cpu', record.cpu)
  addSpecification('gpu', record.gpu)
  addSpecification('memory', record.ram)
  addSpecification('storage', record.storage)
  if (record.battery?.capacity) addSpecification('battery', `${record.battery.capacity.replace(/\s*mAh$/i, '')} mAh`)
  if (screen?.size) {
    const size = screen.size.replace(/["″]|\s*inch(?:es)?|in$/gi, '').trim()
    addSpecification(
      'display',
      [`${size}-inch`, screen.technology].filter(Boolean).join(' ') +
        (screen.resolution ? `, ${screen.resolution}` : ''),
    )
  }
  addSpecification(
    'cameras',
    record.cameras
      ?.map((camera) => camera.info)
      .filter(Boolean)
      .join(', '),
  )
  if (dimensions?.height && dimensions.width && dimensions.depth) {
    const sides = [dimensions.height, dimensions.width, dimensions.depth].map((side) => side.replace(/\s*mm.*$/, ''))
    addSpecification('dimensions', `${sides.join(' x ')} mm`)
  }
  addSpecification('network', record.network?.join(', '))
  return {
    make,
    name: withLine(withoutRadio(cleanText(record.name.replace(BUILD_SUFFIX, ''))), lineWord),
    category: lineageCategory(record.type ?? ''),
    releasedOn: released?.day,
    releasePrecision: released?.precision,
    modelNumbers: record.models?.map(cleanText),
    // Its names are its own ("Galaxy S III (International)"), its model codes are the maker's.
    modelNumbersAreUnique: true,
    modelIdentifiers: [record.codename],
    specifications,
    variants: storageVariants(record.storage ?? ''),
    source: 'lineageos',
    line,
  }
}

/** A list of sizes before one unit; never a part of "5.1". */
const SIZES = /(?<![\d.])\d{1,4}(?:\s?(?:\/|,|or|and)\s?\d{1,4}){0,9}\s?(?:GB|TB)/gi

/** "128/256 GB UFS3.1" and "64 GB or 128 GB" are two variants each; anything unclear is none. */
export function storageVariants(storage: string): VariantDraft[] {
  const sizes: string[] = []
  for (const match of storage.match(SIZES) ?? []) {
    for (const size of match.match(/\d+/g) ?? []) sizes.push(`${size}${match.slice(-2).toUpperCase()}`)
  }
  return [...new Set(sizes)].map((size) => ({ attributes: [{ name: 'storage', value: size }] }))
}
