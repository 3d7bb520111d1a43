import { z } from 'zod'
import { imageUrl } from './values.ts'

export const categorySchema = z
  .strictObject({
    name: z.string().min(1).describe('Name of the category.'),
    thumbnail: imageUrl.describe('Drawing of the category.'),
  })
  .describe('Kind of device.')
  .meta({ id: 'Category' })

export const makeSchema = z
  .strictObject({
    name: z.string().min(1).describe('Name of the manufacturer.'),
    thumbnail: imageUrl.describe('Drawing for the manufacturer; never a trademarked logo.'),
  })
  .describe('Manufacturer.')
  .meta({ id: 'Make' })
