import { z } from 'zod'
import { categorySchema, makeSchema } from './category-and-make.ts'
import { cents, component, imageUrl, slugValue } from './values.ts'

export const attributeSchema = component('Attribute', 'An attribute of a variant.', {
  attribute_name: z.string().min(1).describe('For example `storage` or `color`.'),
  attribute_value: z.string().min(1).describe('For example `128GB` or `Midnight`.'),
})

const PRICE_ORIGINS = ['list', 'estimated', 'unknown'] as const

const listPriceSchema = component('ListPrice', 'Launch list price in one market.', {
  market: z
    .string()
    .regex(/^[a-z]{2}$/)
    .describe('Country code in lower case, or `eu`.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .describe('Currency of the price.'),
  amount: z
    .int()
    .min(1)
    .describe('Minor units of the currency, with the tax that buyers pay there; US prices are without tax.'),
})

const variantFields = {
  id: slugValue.describe('Variant identifier: the device id and its attributes, `[a-z0-9-]`.'),
  sku: z.string().describe('Stock keeping unit.'),
  price: cents.describe('Launch list price in US cents, as `price_source` says; 0 if unknown.'),
  price_source: z
    .enum(PRICE_ORIGINS)
    .describe(
      '`list`: published US list price. `estimated`: list price of another country in US cents without its tax. `unknown`: no list price is known and `price` is 0.',
    ),
  list_prices: z
    .array(listPriceSchema)
    .describe('Launch list prices by market, as published there; empty if none is known.'),
  name: z.string().min(1).describe('Name of the variant.'),
  part_numbers: z.array(z.string()).describe("The maker's part numbers, without region suffix."),
  model_numbers: z.array(z.string()).describe("The maker's model numbers of this variant."),
  thumbnail: imageUrl.describe('Drawing of the device.'),
  attributes: z.array(attributeSchema).describe('Attributes in the order of the catalogue.'),
  disabled: z
    .boolean()
    .describe('True if the variant is not for sale any more or was never sold. An unknown price does not disable it.'),
}

export const variantSchema = component(
  'Variant',
  'One configuration of a device, such as storage and color.',
  variantFields,
)

const variantDeviceSchema = component('VariantDevice', 'The device that a variant belongs to.', {
  id: slugValue.describe('Device identifier.'),
  name: z.string().min(1).describe('Name of the device, without the make.'),
  slug: slugValue.describe('Same as `id`.'),
  make: makeSchema,
  category: categorySchema,
})

export const variantInContextSchema = z
  .strictObject({ ...variantFields, device: variantDeviceSchema })
  .describe('A variant with the device it belongs to.')
  .refine((variant) => variant.id.startsWith(variant.device.id), 'variant id does not begin with its device id')
  .meta({ id: 'VariantWithDevice' })

export type VariantWire = z.infer<typeof variantSchema>
export type VariantInContextWire = z.infer<typeof variantInContextSchema>
