import { z } from 'zod'
import { component } from './component.ts'
import { imageUrl } from './values.ts'

export const categorySchema = component(
  'Category',
  z
    .strictObject({
      name: z.string().min(1).describe('Name of the category.'),
      thumbnail: imageUrl.describe('Drawing of the category.'),
    })
    .describe('Kind of device.'),
)

export const makeSchema = component(
  'Make',
  z
    .strictObject({
      name: z.string().min(1).describe('Name of the manufacturer.'),
      thumbnail: imageUrl.describe('Drawing for the manufacturer; never a trademarked logo.'),
    })
    .describe('Manufacturer.'),
)

export type CategoryWire = z.infer<typeof categorySchema>
export type MakeWire = z.infer<typeof makeSchema>
