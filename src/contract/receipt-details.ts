import { z } from 'zod'
import { LANGUAGES } from './languages.ts'

/** Sizes of stock labels in millimetres: those of common label printers. */
export const LABEL_SIZES = ['62x29', '57x32'] as const
export type LabelSize = (typeof LABEL_SIZES)[number]

const DEFAULT_VALID_DAYS = 7
const MAX_LOGO_LENGTH = 40_000

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `at most ${max} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'text without control characters')

/** What an organization prints on its receipts. */
export const receiptDetailsSchema = z.strictObject({
  shop_name: line(100).describe('Name of the shop; empty for the name of the organization.'),
  address: z
    .string()
    .trim()
    .max(300, 'at most 300 characters')
    .regex(/^[^\p{Cs}]*$/u, 'text')
    .describe('Postal address, one line each.'),
  contact: line(120).describe('Phone, email or web address.'),
  vat_id: line(40).describe('VAT or tax number.'),
  valid_days: z.int().min(0).max(365).describe('Days an offer is valid; 0 for none printed.'),
  terms: z
    .string()
    .trim()
    .max(600, 'at most 600 characters')
    .regex(/^[^\p{Cs}]*$/u, 'text')
    .describe('What the seller confirms with the signature.'),
  logo: z
    .string()
    .max(MAX_LOGO_LENGTH, 'an image of at most 30 kB')
    .regex(
      /^(?:data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+=*)?$/,
      'a PNG, JPEG or WebP image as a data URL, or empty',
    )
    .describe('Logo as a data URL; empty for none.'),
  language: z
    .enum(['', ...LANGUAGES])
    .default('')
    .describe('Language of receipts and of the verification page; empty for that of the person who prints.'),
  seller_lines: z
    .boolean()
    .default(true)
    .describe("Whether the shop's copy has blank lines for the seller's name and ID document."),
  label: z
    .enum(['', ...LABEL_SIZES])
    .default('')
    .describe('Label that is printed with a purchase, in millimetres; empty for none.'),
})
export type ReceiptDetailsWire = z.infer<typeof receiptDetailsSchema>

export const DEFAULT_RECEIPT_DETAILS: ReceiptDetailsWire = {
  shop_name: '',
  address: '',
  contact: '',
  vat_id: '',
  valid_days: DEFAULT_VALID_DAYS,
  terms: 'I am the owner of this device, it is not reported lost or stolen, and my accounts are removed from it.',
  logo: '',
  language: '',
  seller_lines: true,
  label: '',
}
