import { z } from 'zod'
import { categorySchema, makeSchema } from './category-and-make.ts'
import { dateValue, imageUrl, slugValue } from './values.ts'
import { variantSchema } from './variant.ts'

/** Orders of the device list beside the default one. */
export const DEVICE_SORTS = ['name', 'price_low', 'price_high', 'frequent'] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]

export const DEVICE_STATUSES = ['active', 'discontinued'] as const
export const DATE_PRECISIONS = ['day', 'month', 'year'] as const

export const deviceSchema = z
  .strictObject({
    id: slugValue.describe('Device identifier; equals `slug`.'),
    name: z
      .string()
      .min(1)
      .describe('Marketing name without the make: `make.name` and `name` together name the device.'),
    slug: slugValue.describe('Make and name in lower case, `[a-z0-9-]`.'),
    category: categorySchema,
    make: makeSchema,
    model_numbers: z.array(z.string()).describe("The maker's model numbers, all regions."),
    technical_specifications: z.record(z.string(), z.string()).describe('Property names and values, both as text.'),
    release_date: dateValue
      .nullable()
      .describe('First day on sale. If only the month or year is known, its first day; null if unknown.'),
    release_date_precision: z
      .enum(DATE_PRECISIONS)
      .nullable()
      .describe('Precision of `release_date`: with `month` the day is not meaningful, with `year` the month neither.'),
    thumbnail: imageUrl.describe('Drawing of the device, served by this service.'),
    status: z.enum(DEVICE_STATUSES).describe('Whether the maker still sells it.'),
    model_identifiers: z.array(z.string()).describe("Identifiers reported by the device's software."),
    variants: z.array(variantSchema).describe('All variants in catalogue order, including disabled ones.'),
  })
  .describe('A device model with all its variants.')
  .refine((device) => device.id === device.slug, 'id differs from slug')
  .refine(
    (device) => (device.release_date === null) === (device.release_date_precision === null),
    'a precision belongs to a release date',
  )
  .refine((device) => device.variants.every((v) => v.id.startsWith(device.id)), 'a variant id of another device')
  .meta({ id: 'Device' })

export type DeviceWire = z.infer<typeof deviceSchema>
