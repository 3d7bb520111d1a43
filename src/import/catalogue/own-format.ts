/** Our own catalogue format: as JSON and as CSV, which `export catalogue` writes too, and as tables of families. */
import * as z from 'zod'
import { type Device, slug } from '../../catalog/device.ts'
import { expandFamily, type FamilyDevice } from '../../catalog/family.ts'
import { readReleaseDate, releaseDateText } from '../../catalog/release-date.ts'
import { type DeviceDraft, inOrder } from './draft.ts'
import type { KnownDevice } from './merge.ts'
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
  announced_cents: z.int().min(1).max(100_000_000).optional(),
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
      announcedCents: variant.announced_cents,
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
    variants: device.variants.map(({ attributes, listCents, announcedCents, partNumbers, modelNumbers }) => {
      return { attributes, listCents: listCents || undefined, announcedCents, partNumbers, modelNumbers }
    }),
    source: 'own',
    line,
  }
}

function originOf(text: string | undefined): Origin | undefined {
  return text !== undefined && isOrigin(text) ? text : undefined
}

/** The release date as far as it is known. */
export function releasedText({ releasedOn, releasePrecision }: KnownDevice): string | undefined {
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
      announced_cents: variant.announcedCents,
      disabled: variant.disabled,
      attributes: variant.attributes.map(({ name, value }) => ({ name, value })),
      part_numbers: [...variant.partNumbers],
      model_numbers: [...variant.modelNumbers],
      source: variant.source,
    })),
  }
}
