import { z } from 'zod'
import { categorySchema, makeSchema } from './category-and-make.ts'
import { cents, imageUrl, slugValue } from './values.ts'

export const attributeSchema = z
  .strictObject({
    attribute_name: z.string().min(1).describe('For example `storage` or `color`.'),
    attribute_value: z.string().min(1).describe('For example `128GB` or `Midnight`.'),
  })
  .describe('An attribute of a variant.')
  .meta({ id: 'Attribute' })

const variantFields = {
  id: slugValue.describe('Variant identifier: the device id and its attributes, `[a-z0-9-]`.'),
  sku: z.string().describe('Stock keeping unit.'),
  price: cents.describe('List price at launch in US cents; 0 together with `disabled` where no source knows it.'),
  name: z.string().min(1).describe('Name of the variant.'),
  part_numbers: z.array(z.string()).describe("The maker's part numbers, without region suffix."),
  model_numbers: z.array(z.string()).describe("The maker's model numbers of this variant."),
  thumbnail: imageUrl.describe('Drawing of the device.'),
  attributes: z.array(attributeSchema).describe('Attributes in the order of the catalogue.'),
  disabled: z.boolean().describe('True when the variant is not traded, for example because its list price is unknown.'),
}

export const variantSchema = z
  .strictObject(variantFields)
  .describe('One configuration of a device, such as storage and color.')
  .meta({ id: 'Variant' })

const variantDeviceSchema = z
  .strictObject({
    id: slugValue.describe('Device identifier.'),
    name: z.string().min(1).describe('Name of the device.'),
    slug: slugValue.describe('Same as `id`.'),
    make: makeSchema,
    category: categorySchema,
  })
  .describe('The device that a variant belongs to.')
  .meta({ id: 'VariantDevice' })

export const variantInContextSchema = z
  .strictObject({ ...variantFields, device: variantDeviceSchema })
  .describe('A variant with the device it belongs to.')
  .refine((variant) => variant.id.startsWith(variant.device.id), 'variant id does not begin with its device id')
  .meta({ id: 'VariantWithDevice' })

export type VariantWire = z.infer<typeof variantSchema>
export type VariantInContextWire = z.infer<typeof variantInContextSchema>
