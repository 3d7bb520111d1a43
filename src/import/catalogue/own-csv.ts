/** Our own catalogue as CSV: written by `export catalogue` and read by `import catalogue`. */
import { formatCsvLine, unguardFormula } from '../../lib/csv-writer.ts'
import type { Schema } from '../../tables/assign-columns.ts'
import { cellText, type TableHeader } from '../read/header.ts'
import type { TableRecord } from '../read/table-records.ts'
import { sortProvenance } from './device-draft.ts'
import type { SourcedDevice } from './merge-device.ts'
import type { SourcedVariant } from './merge-variants.ts'
import { formatKnownReleaseDate } from './own-format.ts'

/** One row per variant; the facts of its device are repeated on each. */
export const OWN_CSV_COLUMNS = [
  'device_id',
  'make',
  'device',
  'category',
  'released',
  'status',
  'device_model_numbers',
  'model_identifiers',
  'specifications',
  'device_source',
  'provenance',
  'variant_id',
  'sku',
  'variant',
  'list_cents',
  'disabled',
  'attributes',
  'part_numbers',
  'model_numbers',
  'source',
] as const

export function* formatOwnCsvLines(device: SourcedDevice): Generator<string> {
  const deviceCells = [
    device.id,
    device.make,
    device.name,
    device.category,
    formatKnownReleaseDate(device) ?? '',
    device.status,
    joinValues(device.modelNumbers),
    joinValues(device.modelIdentifiers),
    joinPairs(Object.entries(device.specifications)),
    device.source,
    joinPairs(Object.entries(sortProvenance(device.provenance))),
  ]
  if (device.variants.length === 0) yield formatCsvLine([...deviceCells, ...Array.from({ length: 9 }, () => '')])
  for (const variant of device.variants) yield formatCsvLine([...deviceCells, ...variantCells(variant)])
}

function variantCells(variant: SourcedVariant): string[] {
  return [
    variant.id,
    variant.sku,
    variant.name,
    String(variant.listCents),
    variant.disabled ? 'true' : 'false',
    joinPairs(variant.attributes.map(({ name, value }) => [name, value])),
    joinValues(variant.partNumbers),
    joinValues(variant.modelNumbers),
    variant.source,
  ]
}

/** Columns of a table of devices that another program wrote. */
export const DEVICE_COLUMNS: Schema<string> = {
  fields: [
    { name: 'make', words: ['make'] },
    { name: 'device', words: ['model'] },
    { name: 'category', words: ['category'] },
    { name: 'released', words: ['released'] },
    { name: 'storage', words: ['storage'] },
    { name: 'ram', words: ['ram'] },
    { name: 'color', words: ['color'] },
    { name: 'part_numbers', words: ['partNumber'] },
  ],
  decoys: [],
}

export function isOwnCsv(header: TableHeader): boolean {
  return header.has('make', 'device')
}

/** A row as a device with at most one variant, in the shape of the JSON format, so that both use the same schema. */
export function parseOwnRow({ fields, header, cell: rawCell }: TableRecord): unknown {
  const cell = (...names: string[]) => unguardFormula(rawCell(...names))
  const optional = (...names: string[]) => cell(...names) || undefined
  const attributes = splitPairs(cell('attributes')).map(([name, value]) => ({ name, value }))
  // Any other column is an attribute of that name, so that a plain table with a "storage" column works.
  header.names.forEach((name, index) => {
    const key = name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
    const value = unguardFormula(cellText(fields, index))
    if (key && value && !KNOWN_COLUMNS.has(key)) attributes.push({ name: key, value })
  })
  const cents = optional('list_cents')
  const disabled = optional('disabled')
  const hasVariant = attributes.length > 0 || cents !== undefined || optional('variant_id', 'sku', 'variant')
  return {
    id: optional('device_id'),
    make: cell('make'),
    name: cell('device'),
    category: optional('category'),
    released: optional('released', 'release_date'),
    status: optional('status')?.toLowerCase(),
    model_numbers: splitValues(cell('device_model_numbers')),
    model_identifiers: splitValues(cell('model_identifiers')),
    specifications: Object.fromEntries(splitPairs(cell('specifications'))),
    source: optional('device_source'),
    provenance: Object.fromEntries(splitPairs(cell('provenance'))),
    variants: hasVariant
      ? [
          {
            id: optional('variant_id'),
            sku: optional('sku'),
            name: optional('variant'),
            list_cents: cents === undefined ? undefined : /^\d+$/.test(cents) ? Number(cents) : cents,
            disabled: disabled === undefined ? undefined : (BOOLEANS[disabled.toLowerCase()] ?? disabled),
            attributes,
            part_numbers: splitValues(cell('part_numbers')),
            model_numbers: splitValues(cell('model_numbers')),
            source: optional('source'),
          },
        ]
      : [],
  }
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
}
const KNOWN_COLUMNS = new Set<string>([...OWN_CSV_COLUMNS, 'release_date'])

/** Several values in one cell: joined by "; ", with a backslash before a semicolon, equals sign or backslash of their own. */
export function joinValues(values: readonly string[]): string {
  return values.map(escaped).join('; ')
}

/** Parts between semicolons; a backslash takes the next character with it. */
const splitParts = (text: string) => (text.match(/(?:\\.|[^;\\]|\\$)+/gs) ?? []).map((part) => part.trim())

export function splitValues(text: string): string[] {
  return splitParts(text).map(unescaped).filter(Boolean)
}

export function joinPairs(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('; ')
}

export function splitPairs(text: string): [string, string][] {
  return splitParts(text).flatMap((part): [string, string][] => {
    const [, name, value = ''] = /^((?:\\.|[^=\\])*)=(.*)$/s.exec(part) ?? []
    return name === undefined ? [] : [[unescaped(name).trim(), unescaped(value).trim()]]
  })
}

function escaped(text: string): string {
  return text.replace(/[\\;=]/g, '\\$&')
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}
