import { z } from 'zod'
import { categorySchema, makeSchema } from './category-and-make.ts'
import { deviceSchema } from './device.ts'
import { defineEndpoint } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { exampleDevice, exampleVariant } from './examples.ts'
import { variantInContextSchema } from './variant.ts'

export const getDevice = defineEndpoint('GET /api/devices/{id}', {
  id: 'getDevice',
  params: z.object({ id: z.string().describe('The `id` of a device.') }),
  tier: 'public',
  tag: 'Registry',
  summary: 'Get one device',
  description: 'A device with all its variants. An unknown id is 404; `error.nearest_ids` lists similar ids.',
  response: envelopeSchema(deviceSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A device by its id', params: { id: exampleDevice.id }, data: exampleDevice }],
})

export const getVariant = defineEndpoint('GET /api/variants/{id}', {
  id: 'getVariant',
  params: z.object({ id: z.string().describe('The `id` of a variant.') }),
  tier: 'public',
  tag: 'Registry',
  summary: 'Get one variant',
  description: 'A variant with the device it belongs to. An unknown id is 404; `error.nearest_ids` lists similar ids.',
  response: envelopeSchema(variantInContextSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A variant by its id', params: { id: exampleVariant.id }, data: exampleVariant }],
})

const counts = {
  device_count: z.int().min(1).describe('Number of devices in the registry.'),
  variant_count: z.int().min(0).describe('Number of variants, including disabled ones.'),
}

const categoryCountSchema = z
  .strictObject({ ...categorySchema.shape, ...counts })
  .describe('A category with its counts.')
  .meta({ id: 'CategoryCount' })

const makeCountSchema = z
  .strictObject({ ...makeSchema.shape, ...counts })
  .describe('A manufacturer with its counts.')
  .meta({ id: 'MakeCount' })

export const listCategories = defineEndpoint('GET /api/meta/categories', {
  id: 'listCategories',
  tier: 'public',
  tag: 'Registry',
  summary: 'List the categories',
  description: 'All categories by name, with counts. Use `name` as a filter for devices and variants.',
  response: envelopeSchema(z.array(categoryCountSchema)),
  examples: [
    { summary: 'Categories', data: [{ ...exampleDevice.category, device_count: 1_523, variant_count: 11_204 }] },
  ],
})

export const listMakes = defineEndpoint('GET /api/meta/makes', {
  id: 'listMakes',
  tier: 'public',
  tag: 'Registry',
  summary: 'List the makes',
  description: 'All manufacturers by name, with counts. Use `name` as a filter for devices and variants.',
  response: envelopeSchema(z.array(makeCountSchema)),
  examples: [{ summary: 'Makes', data: [{ ...exampleDevice.make, device_count: 212, variant_count: 3_480 }] }],
})
