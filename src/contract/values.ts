import { z } from 'zod'

/** The small values that many resources share. Each has one form on the wire. */

export const cents = z.int().min(0).describe('Amount in US cents.')

export const currency = z.literal('USD').describe('Currency code of the amounts beside it; always `USD`.')

export const percent = z.int().min(0).max(100)

export const day = z.iso.date()

/** ISO 8601 in UTC with milliseconds, the one form of an instant on this wire. */
export const instant = z.iso.datetime({ precision: 3 })

export const slug = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)

export const imageUrl = z.url({ protocol: /^https?$/ })
