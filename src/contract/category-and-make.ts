import { z } from 'zod'
import { component, imageUrl } from './values.ts'

export const categorySchema = component('Category', 'Kind of device.', {
  name: z.string().min(1).describe('Name of the category.'),
  thumbnail: imageUrl.describe('Drawing of the category.'),
})

export const makeSchema = component('Make', 'Manufacturer.', {
  name: z.string().min(1).describe('Name of the manufacturer.'),
  thumbnail: imageUrl.describe('Drawing for the manufacturer; never a trademarked logo.'),
})
