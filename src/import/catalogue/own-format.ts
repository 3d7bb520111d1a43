/** Our own catalogue format: as JSON and as CSV, which `export catalogue` writes too, and as tables of families. */
import * as z from 'zod'
import { type Device, slug } from '../../catalog/device.ts'
import { expandFamily, type FamilyDevice } from '../../catalog/family.ts'
import { readReleaseDate, releaseDateText } from '../../catalog/release-date.ts'
import { csvLine, withoutGuard } from '../../text/csv-line.ts'
import type { Row } from '../read/csv.ts'
import { cell, type Header } from '../read/header.ts'
import { type DeviceDraft, inOrder } from './draft.ts'
import type { KnownDevice } from './merge.ts'
import type { KnownVariant } from './merge-variants.ts'
import { isOrigin, type Origin } from './origins.ts'

export const CATALOGUE_FORMAT = 'device-intelligence/catalogue/1'

const id = z
  .string()
  .max(200)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by dashes')
const words = z.string().trim().min(1).max(300)
const numbers = z
  .array(z.string().trim().max(300))
  .max(2000)
  .transform((values) => values.filter(Boolean))
  .optional()
const provenance = z.record(z.string(), z.string()).optional()

const ownVariant = z.object({
  id: id.optional(),
  sku: z.string().max(300).optional(),
  name: z.string().max(300).optional(),
  list_cents: z.int().min(0).max(100_000_000).optional(),
  disabled: z.boolean().optional(),
  attributes: z
    .array(z.object({ name: words, value: words }))
    .max(50)
    .default([]),
  part_numbers: numbers,
  model_numbers: numbers,
  source: z.string().optional(),
})

export const ownDevice = z.object({
  id: id.optional(),
  make: words,
  name: words,
  category: words.optional(),
  released: z.string().optional(),
  status: z.enum(['active', 'discontinued']).optional(),
  model_numbers: numbers,
  model_identifiers: numbers,
  specifications: z.record(z.string(), z.string()).optional(),
  variants: z.array(ownVariant).max(5000).optional(),
  source: z.string().optional(),
  provenance,
})
export type OwnDevice = z.infer<typeof ownDevice>

/** Says what is wrong with it, or the draft. */
export function ownDraft(device: OwnDevice, line: number): DeviceDraft | string {
  const released = device.released ? readReleaseDate(device.released) : undefined
  if (released === null) return 'release date is not YYYY, YYYY-MM or YYYY-MM-DD'
  if (!slug(device.make) && !device.id) return 'make needs a Latin letter or digit, or the row an id'
  return {
    id: device.id,
    make: device.make,
    name: device.name,
    category: device.category,
    releasedOn: released?.day,
    releasePrecision: released?.precision,
    status: device.status,
    modelNumbers: device.model_numbers,
    modelIdentifiers: device.model_identifiers,
    specifications: device.specifications,
    variants: device.variants?.map((variant) => ({
      id: variant.id,
      sku: variant.sku,
      name: variant.name,
      listCents: variant.list_cents,
      disabled: variant.disabled,
      attributes: variant.attributes,
      partNumbers: variant.part_numbers,
      modelNumbers: variant.model_numbers,
      source: originOf(variant.source),
    })),
    source: originOf(device.source) ?? 'own',
    provenance: device.provenance,
    line,
  }
}

export const tableHead = z.object({ make: words, category: words })

/** A line of a family table, the form of the catalogue on board; a table that contradicts itself is a FamilyMistake. */
export function tableDraft(make: string, category: string, row: FamilyDevice, line: number): DeviceDraft {
  const [device] = expandFamily({ make, category, devices: [row] }) as [Device]
  return {
    ...device,
    // As in every list but the one on board, ids follow from what the registry knows already.
    id: undefined,
    variants: device.variants.map(({ attributes, listCents, partNumbers, modelNumbers }) => {
      return { attributes, listCents: listCents || undefined, partNumbers, modelNumbers }
    }),
    source: 'own',
    line,
  }
}

function originOf(text: string | undefined): Origin | undefined {
  return text !== undefined && isOrigin(text) ? text : undefined
}

function releasedText({ releasedOn, releasePrecision }: KnownDevice): string | undefined {
  return releasedOn ? releaseDateText(releasedOn, releasePrecision) : undefined
}

export function presentOwn(device: KnownDevice): z.input<typeof ownDevice> {
  return {
    id: device.id,
    make: device.make,
    name: device.name,
    category: device.category,
    released: releasedText(device),
    status: device.status,
    model_numbers: [...device.modelNumbers],
    model_identifiers: [...device.modelIdentifiers],
    specifications: { ...device.specifications },
    source: device.source,
    provenance: { ...inOrder(device.provenance) },
    variants: device.variants.map((variant) => ({
      id: variant.id,
      sku: variant.sku,
      name: variant.name,
      list_cents: variant.listCents,
      disabled: variant.disabled,
      attributes: variant.attributes.map(({ name, value }) => ({ name, value })),
      part_numbers: [...variant.partNumbers],
      model_numbers: [...variant.modelNumbers],
      source: variant.source,
    })),
  }
}

/** One variant a row; the facts of its device are repeated on each. */
export const OWN_COLUMNS = [
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

export function* ownCsvLines(device: KnownDevice): Generator<string> {
  const about = [
    device.id,
    device.make,
    device.name,
    device.category,
    releasedText(device) ?? '',
    device.status,
    joinCell(device.modelNumbers),
    joinCell(device.modelIdentifiers),
    joinPairs(Object.entries(device.specifications)),
    device.source,
    joinPairs(Object.entries(inOrder(device.provenance))),
  ]
  if (device.variants.length === 0) yield csvLine([...about, ...Array.from({ length: 9 }, () => '')])
  for (const variant of device.variants) yield csvLine([...about, ...variantCells(variant)])
}

function variantCells(variant: KnownVariant): string[] {
  return [
    variant.id,
    variant.sku,
    variant.name,
    String(variant.listCents),
    variant.disabled ? 'true' : 'false',
    joinPairs(variant.attributes.map(({ name, value }) => [name, value])),
    joinCell(variant.partNumbers),
    joinCell(variant.modelNumbers),
    variant.source,
  ]
}

export function isOwnCsv(header: Header): boolean {
  return header.has('make', 'device')
}

/** One row as a device with at most one variant, in the shape the JSON has, so that both are checked alike. */
export function ownRow({ fields }: Row, header: Header): unknown {
  const at = (...names: string[]) => withoutGuard(cell(fields, header.find(...names)))
  const optional = (...names: string[]) => at(...names) || undefined
  const attributes = splitPairs(at('attributes')).map(([name, value]) => ({ name, value }))
  // Any further column is an attribute of its own name, so that a plain table with a "storage" column works.
  header.names.forEach((name, index) => {
    const key = name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
    const value = withoutGuard(cell(fields, index))
    if (key && value && !KNOWN_COLUMNS.has(key)) attributes.push({ name: key, value })
  })
  const cents = optional('list_cents')
  const disabled = optional('disabled')
  const hasVariant = attributes.length > 0 || cents !== undefined || optional('variant_id', 'sku', 'variant')
  return {
    id: optional('device_id'),
    make: at('make'),
    name: at('device'),
    category: optional('category'),
    released: optional('released', 'release_date'),
    status: optional('status')?.toLowerCase(),
    model_numbers: splitCell(at('device_model_numbers')),
    model_identifiers: splitCell(at('model_identifiers')),
    specifications: Object.fromEntries(splitPairs(at('specifications'))),
    source: optional('device_source'),
    provenance: Object.fromEntries(splitPairs(at('provenance'))),
    variants: hasVariant
      ? [
          {
            id: optional('variant_id'),
            sku: optional('sku'),
            name: optional('variant'),
            list_cents: cents === undefined ? undefined : /^\d+$/.test(cents) ? Number(cents) : cents,
            disabled: disabled === undefined ? undefined : (BOOLEANS[disabled.toLowerCase()] ?? disabled),
            attributes,
            part_numbers: splitCell(at('part_numbers')),
            model_numbers: splitCell(at('model_numbers')),
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
const KNOWN_COLUMNS = new Set<string>([...OWN_COLUMNS, 'release_date'])

/** Several values in one cell: joined by "; ", with a backslash before a semicolon, equals sign or backslash of their own. */
export function joinCell(values: readonly string[]): string {
  return values.map(escaped).join('; ')
}

export function splitCell(text: string): string[] {
  return splitAt(text, ';')
    .map((part) => unescaped(part.trim()))
    .filter(Boolean)
}

export function joinPairs(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('; ')
}

export function splitPairs(text: string): [string, string][] {
  return splitAt(text, ';')
    .map((part) => splitAt(part.trim(), '='))
    .filter((parts) => parts.length >= 2)
    .map(([name = '', ...value]) => [unescaped(name).trim(), unescaped(value.join('=')).trim()])
}

function escaped(text: string): string {
  return text.replace(/[\\;=]/g, '\\$&')
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}

function splitAt(text: string, separator: string): string[] {
  const parts: string[] = []
  let part = ''
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\' && at + 1 < text.length) part += text[at] + (text[++at] as string)
    else if (text[at] === separator) {
      parts.push(part)
      part = ''
    } else part += text[at]
  }
  parts.push(part)
  return parts
}
