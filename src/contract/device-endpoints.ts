import { z } from 'zod'
import { categorySchema, makeSchema } from './category-and-make.ts'
import { CONDITION_GRADES, conditionGradeSchema } from './conditions.ts'
import { DEFECTS, defectSchema } from './defects.ts'
import { DEVICE_SORTS, DEVICE_STATUSES, deviceSchema } from './device.ts'
import { DEVICE_KINDS, defectsOfKind, gradesOfKind } from './device-kinds.ts'
import { defineEndpoint, optionalText } from './endpoint.ts'
import { envelopeSchema, pageSchema } from './envelope.ts'
import { exampleAccessoryMatch, exampleDevice, exampleMatch, exampleVariant } from './examples.ts'
import { matchQuerySchema, matchSchema } from './match.ts'
import { PAGE_LIMIT, pageParameters } from './paging.ts'
import { component } from './values.ts'
import { variantInContextSchema } from './variant.ts'

const registry = { permission: 'catalogue:read', tag: 'Registry' } as const

export const getDevice = defineEndpoint('GET /api/devices/{id}', {
  id: 'getDevice',
  params: z.object({ id: z.string().describe('The `id` of a device.') }),
  ...registry,
  summary: 'Get one device',
  description: 'A device with all its variants. An unknown id is 404; `error.nearest_ids` lists similar ids.',
  response: envelopeSchema(deviceSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A device by its id', params: { id: exampleDevice.id }, data: exampleDevice }],
})

export const getVariant = defineEndpoint('GET /api/variants/{id}', {
  id: 'getVariant',
  params: z.object({ id: z.string().describe('The `id` of a variant.') }),
  ...registry,
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

const categoryCountSchema = component('CategoryCount', 'A category with its counts.', {
  ...categorySchema.shape,
  ...counts,
})

const makeCountSchema = component('MakeCount', 'A manufacturer with its counts.', { ...makeSchema.shape, ...counts })

export const listCategories = defineEndpoint('GET /api/meta/categories', {
  id: 'listCategories',
  ...registry,
  summary: 'List the categories',
  description: 'All categories by name, with counts. Use `name` as a filter for devices and variants.',
  response: envelopeSchema(z.array(categoryCountSchema)),
  examples: [
    { summary: 'Categories', data: [{ ...exampleDevice.category, device_count: 1_523, variant_count: 11_204 }] },
  ],
})

export const listMakes = defineEndpoint('GET /api/meta/makes', {
  id: 'listMakes',
  ...registry,
  summary: 'List the makes',
  description: 'All manufacturers by name, with counts. Use `name` as a filter for devices and variants.',
  response: envelopeSchema(z.array(makeCountSchema)),
  examples: [{ summary: 'Makes', data: [{ ...exampleDevice.make, device_count: 212, variant_count: 3_480 }] }],
})

const searchParameter = optionalText().describe(
  'Search words for name, make, category and slug: prefix match, case and accents ignored; every word must match. If nothing matches, one typo per word of five or more letters is tolerated. Also finds an exact model number, model identifier, part number or SKU. Best match first. Truncated to 100 characters.',
)

const categoryParameter = optionalText().describe('Exact category name, case-insensitive.')

const makeParameter = optionalText().describe('Exact manufacturer name, case-insensitive.')

/** Of lists that depend on the kind of device; neither parameter: all kinds. */
const byKind = {
  ...registry,
  query: z.object({
    category: optionalText().describe(
      `Kind of device, one of ${DEVICE_KINDS.map((kind) => `\`${kind}\``).join(', ')}, or a category of the registry, in any letter case.`,
    ),
    device_id: optionalText().describe('Device whose kind is meant; takes precedence over `category`.'),
  }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
} as const

const attributeParameter = (example: string) =>
  optionalText().describe(`Attribute value, ignoring case and spaces, for example \`${example}\`.`)

export const listDevices = defineEndpoint('GET /api/devices', {
  id: 'listDevices',
  ...registry,
  summary: 'List devices',
  description:
    'Devices with all their variants, newest release first (unknown dates last), then by slug. With `search`: best match first, then that order.',
  query: z.object({
    ...pageParameters(PAGE_LIMIT),
    search: searchParameter,
    category: categoryParameter,
    make: makeParameter,
    status: optionalText().meta({
      description: 'Only devices with this status. Other values match nothing.',
      override: { type: 'string', enum: [...DEVICE_STATUSES] },
    }),
    sort: z
      .enum(DEVICE_SORTS, { error: DEVICE_SORTS.join(', ') })
      .optional()
      .describe(
        'Another order. Prices are the lowest list prices. `frequent`: devices that your organization appraised and checked most come first; of the lookups, the newest 500 count.',
      ),
  }),
  response: pageSchema(deviceSchema),
  paged: true,
  errors: ['VALIDATION_ERROR'],
  examples: [{ summary: 'Search for a phone', query: { search: 'iphone 13', limit: '1' }, data: [exampleDevice] }],
})

export const listVariants = defineEndpoint('GET /api/variants', {
  id: 'listVariants',
  ...registry,
  summary: 'List variants with their device',
  description:
    'Variants sorted by device, then in catalogue order. Disabled variants are included and marked. Every attribute can be used as a filter by its name.',
  query: z
    .object({
      ...pageParameters(PAGE_LIMIT),
      device_id: optionalText().describe('Only variants of this device. An unknown id gives an empty list.'),
      search: searchParameter,
      make: makeParameter,
      category: categoryParameter,
      sku: optionalText().describe('Only the variant with this SKU.'),
      disabled: optionalText().meta({
        description: 'Only disabled (`true`) or only enabled (`false`) variants.',
        override: { type: 'string', enum: ['true', 'false'] },
      }),
      storage: attributeParameter('256GB'),
      color: attributeParameter('Midnight'),
      ram: attributeParameter('8GB'),
      carrier: attributeParameter('Unlocked'),
    })
    .catchall(z.string()),
  attributeQuery: {
    name: 'attributes',
    description:
      'Any other attribute by its name (for example `size=45mm` or `connectivity=wifi`), ignoring case and spaces. Parameters that are not attribute names are ignored.',
  },
  response: pageSchema(variantInContextSchema),
  paged: true,
  examples: [
    {
      summary: 'Variants of a device with 128 GB',
      query: { device_id: 'apple-iphone-13', storage: '128GB', limit: '1' },
      data: [exampleVariant],
    },
  ],
})

export const listConditions = defineEndpoint('GET /api/meta/conditions', {
  id: 'listConditions',
  ...byKind,
  summary: 'List the condition grades',
  description:
    'The four grades used for prices, best first, with their definitions. With `category` or `device_id` the definitions fit that kind of device.',
  response: envelopeSchema(z.array(conditionGradeSchema).length(4)),
  examples: [
    { summary: 'The grades in force', data: CONDITION_GRADES },
    { summary: 'The grades of game consoles', query: { category: 'console' }, data: gradesOfKind('console') },
  ],
})

export const matchText = defineEndpoint('GET /api/match', {
  id: 'matchText',
  ...registry,
  summary: 'Find the device named by a text',
  description:
    'Matches a listing title, model name or model number to a device and, if possible, a variant. Doubtful matches are rejected with a reason: every model word must be matched, and the make must agree. Accessories, parts, boxes and lots are recognised.',
  query: matchQuerySchema,
  response: envelopeSchema(matchSchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'A title as sellers write it',
      query: { text: 'iphone 13 128gb midnight unlocked' },
      data: exampleMatch,
    },
    { summary: 'No device', query: { text: 'case for iphone 13' }, data: exampleAccessoryMatch },
  ],
})

export const listDefects = defineEndpoint('GET /api/meta/defects', {
  id: 'listDefects',
  ...byKind,
  summary: 'List the defects',
  description:
    'Defects beside normal wear: the codes of `defects[]` in an appraisal, the repairs that fix them, and whether a device with the defect still has a grade. With `category` only those of such devices, in words that fit them; an appraisal rejects all others. With `device_id` without those of parts that the device does not have.',
  response: envelopeSchema(z.array(defectSchema).min(1)),
  examples: [
    { summary: 'The defects in force', data: DEFECTS },
    {
      summary: 'What graphics cards can have',
      query: { category: 'graphics_card' },
      data: defectsOfKind('graphics_card'),
    },
  ],
})
