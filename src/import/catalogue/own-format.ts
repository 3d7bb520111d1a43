/** Our own catalogue format: JSON and CSV, which `export catalogue` writes too, and family tables. */
import * as z from 'zod'
import { type Device, slug } from '../../catalog/device.ts'
import { expandFamily, type FamilyDevice } from '../../catalog/family-table.ts'
import { formatKnownDate, parseReleaseDate } from '../../catalog/release-date.ts'
import type { RejectionCode } from '../../lib/rejections.ts'
import { type DeviceDraft, sortProvenance } from './device-draft.ts'
import { type FactOrigin, isOrigin } from './fact-origins.ts'
import type { SourcedDevice } from './merge-device.ts'

export const CATALOGUE_FORMAT = 'device-intelligence/catalogue/1'

const idSchema = z
  .string()
  .max(200)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by dashes')
const textSchema = z.string().trim().min(1, 'is missing').max(300, 'is longer than 300 characters')
const codesSchema = z
  .array(z.string().trim().max(300))
  .max(2000)
  .transform((values) => values.filter(Boolean))
  .optional()
const provenanceSchema = z.record(z.string(), z.string()).optional()

const ownVariantSchema = z.object({
  id: idSchema.optional(),
  sku: z.string().max(300).optional(),
  name: z.string().max(300).optional(),
  list_cents: z.int().min(0).max(100_000_000).optional(),
  announced_cents: z.int().min(1).max(100_000_000).optional(),
  list_prices: z
    .array(
      z.object({
        market: z.string().regex(/^[a-z]{2}$/),
        currency: z.string().regex(/^[A-Z]{3}$/),
        amount: z.number().positive().max(1_000_000_000),
      }),
    )
    .max(100)
    .optional(),
  disabled: z.boolean().optional(),
  attributes: z
    .array(z.object({ name: textSchema, value: textSchema }))
    .max(50)
    .default([]),
  part_numbers: codesSchema,
  model_numbers: codesSchema,
  source: z.string().optional(),
})

export const ownDeviceSchema = z.object({
  id: idSchema.optional(),
  make: textSchema,
  name: textSchema,
  category: textSchema.optional(),
  released: z.string().optional(),
  status: z.enum(['active', 'discontinued']).optional(),
  model_numbers: codesSchema,
  model_identifiers: codesSchema,
  specifications: z.record(z.string(), z.string()).optional(),
  variants: z.array(ownVariantSchema).max(5000).optional(),
  source: z.string().optional(),
  provenance: provenanceSchema,
})
export type OwnDevice = z.infer<typeof ownDeviceSchema>

/** The draft, or what is wrong with the device. */
export function toDeviceDraft(device: OwnDevice, line: number): DeviceDraft | RejectionCode {
  const released = device.released ? parseReleaseDate(device.released) : undefined
  if (released === null) return 'release_date_invalid'
  if (!slug(device.make) && !device.id) return 'make_not_latin'
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
      listPrices: variant.list_prices,
      disabled: variant.disabled,
      attributes: variant.attributes,
      partNumbers: variant.part_numbers,
      modelNumbers: variant.model_numbers,
      source: parseOrigin(variant.source),
    })),
    source: parseOrigin(device.source) ?? 'own',
    provenance: device.provenance,
    line,
  }
}

export const familyTableHeadSchema = z.object({ make: textSchema, category: textSchema })

/** A row of a family table, the format of the bundled catalogue; throws a FamilyTableError if it contradicts itself. */
export function familyTableDraft(make: string, category: string, row: FamilyDevice, line: number): DeviceDraft {
  const [device] = expandFamily({ make, category, devices: [row] }) as [Device]
  return {
    ...device,
    // As for every list but the bundled one, the id depends on what the catalogue already has.
    id: undefined,
    variants: device.variants.map(
      ({ attributes, listCents, announcedCents, listPrices, partNumbers, modelNumbers }) => {
        return { attributes, listCents: listCents || undefined, announcedCents, listPrices, partNumbers, modelNumbers }
      },
    ),
    source: 'own',
    line,
  }
}

function parseOrigin(text: string | undefined): FactOrigin | undefined {
  if (text === 'on-board') return 'bundled' // In exports of version 0.1.0.
  return text !== undefined && isOrigin(text) ? text : undefined
}

/** The release date as far as it is known. */
export function formatKnownReleaseDate({ releasedOn, releasePrecision }: SourcedDevice): string | undefined {
  return releasedOn ? formatKnownDate(releasedOn, releasePrecision) : undefined
}

export function toOwnFormat(device: SourcedDevice): z.input<typeof ownDeviceSchema> {
  return {
    id: device.id,
    make: device.make,
    name: device.name,
    category: device.category,
    released: formatKnownReleaseDate(device),
    status: device.status,
    model_numbers: [...device.modelNumbers],
    model_identifiers: [...device.modelIdentifiers],
    specifications: { ...device.specifications },
    source: device.source,
    provenance: { ...sortProvenance(device.provenance) },
    variants: device.variants.map((variant) => ({
      id: variant.id,
      sku: variant.sku,
      name: variant.name,
      list_cents: variant.listCents,
      announced_cents: variant.announcedCents,
      list_prices: variant.listPrices?.map((price) => ({ ...price })),
      disabled: variant.disabled,
      attributes: variant.attributes.map(({ name, value }) => ({ name, value })),
      part_numbers: [...variant.partNumbers],
      model_numbers: [...variant.modelNumbers],
      source: variant.source,
    })),
  }
}
