import { z } from 'zod'
import { type DeviceWire, deviceSchema } from '../contract/device.ts'
import { getDevice, listDevices, matchText } from '../contract/device-endpoints.ts'
import { type MatchWire, matchQuerySchema, matchSchema } from '../contract/match.ts'
import { type PageMeta, pageMetaSchema } from '../contract/paging.ts'
import { variantSchema } from '../contract/variant.ts'
import { count, defineTool, pickFields, type Tool } from './tool-definition.ts'

const MAX_RESULTS = 20

const matchDevice = defineTool({
  name: 'match_device',
  title: 'Match a text to a device',
  description:
    'Start here. Identifies a device from a listing title, model name, model number or part number: the device, its variant if the text determines it, and a confidence from 0 to 100; or a reason and candidates. Never guess an id: use those returned here.',
  tier: matchText.tier,
  input: z.object({
    ...pickFields(matchQuerySchema.shape, 'text', 'make'),
    limit: count('Most candidates.', MAX_RESULTS),
  }),
  output: z.object(matchSchema.shape).omit({ text: true }),
  createsRecord: false,
  toApiCall: (query) => ({ endpoint: matchText, query }),
  summarize: (match: MatchWire) => match,
})

const device = deviceSchema.shape
const named = {
  ...pickFields(device, 'id', 'name'),
  make: z.string().describe('Manufacturer.'),
  category: z.string().describe('Kind of device.'),
}

const searchDevices = defineTool({
  name: 'search_devices',
  title: 'Search devices',
  description:
    'Lists devices by search words, make, category or status, newest first. To identify one device use match_device.',
  tier: listDevices.tier,
  input: z.object({
    ...pickFields(listDevices.query.shape, 'search', 'make', 'category', 'status'),
    limit: count('Default 10.', MAX_RESULTS),
    page: count('Default 1.', 1_000_000),
  }),
  output: z.object({
    devices: z.array(
      z.object({
        ...named,
        ...pickFields(device, 'release_date', 'status', 'model_numbers'),
        variants: z.int().describe('Number of variants.'),
      }),
    ),
    ...pickFields(pageMetaSchema.shape, 'total', 'page', 'has_next'),
  }),
  createsRecord: false,
  toApiCall: ({ limit = 10, ...query }) => ({ endpoint: listDevices, query: { ...query, limit } }),
  summarize: (devices: DeviceWire[], meta: PageMeta) => ({
    devices: devices.map(({ make, category, variants, ...device }) => ({
      ...device,
      make: make.name,
      category: category.name,
      variants: variants.length,
    })),
    ...meta,
  }),
})

const variant = variantSchema.shape
const DEVICE_ID = 'the id of a device, as returned by match_device and search_devices'

const getDeviceTool = defineTool({
  name: 'get_device',
  title: 'Get one device with its variants',
  description:
    'One device with model numbers, specifications, release date and variants (id, attributes, list price at launch in US cents). Use it to choose a variant_id.',
  tier: getDevice.tier,
  input: z.object({
    device_id: z
      .string({ error: DEVICE_ID })
      .regex(/^[\w-]+$/, DEVICE_ID)
      .describe('The device.'),
  }),
  output: z.object({
    ...named,
    ...pickFields(device, 'release_date', 'release_date_precision', 'status'),
    ...pickFields(device, 'model_numbers', 'model_identifiers', 'technical_specifications'),
    variants: z.array(
      z.object({
        ...pickFields(variant, 'id', 'name', 'price', 'price_source'),
        attributes: z.record(z.string(), z.string()).describe('Name to value, such as storage and color.'),
        disabled: variant.disabled,
      }),
    ),
  }),
  createsRecord: false,
  toApiCall: ({ device_id: id }) => ({ endpoint: getDevice, params: { id } }),
  summarize: ({ make, category, variants, ...device }: DeviceWire) => ({
    ...device,
    make: make.name,
    category: category.name,
    variants: variants.map(({ attributes, ...variant }) => ({
      ...variant,
      attributes: Object.fromEntries(
        attributes.map((attribute) => [attribute.attribute_name, attribute.attribute_value]),
      ),
    })),
  }),
})

export const registryTools: readonly Tool[] = [matchDevice, searchDevices, getDeviceTool]
