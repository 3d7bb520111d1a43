import { z } from 'zod'
import { component } from './values.ts'

/**
 * Everything that an organization stores without an end of its own, with its bound and how it is freed. The table of
 * docs/operations.md follows from it.
 */
export const STORAGE = {
  lookups: {
    unit: 'records',
    limit: 50_000_000,
    subject: 'Lookups',
    freedBy: 'The operator sets LOOKUP_RETENTION_DAYS.',
  },
  appraisals: {
    unit: 'records',
    limit: 5_000_000,
    subject: 'Appraisals',
    freedBy: 'The operator sets LOOKUP_RETENTION_DAYS.',
  },
  lists: { unit: 'records', limit: 5_000, subject: 'Device lists', freedBy: 'Remove a list first.' },
  list_rows: { unit: 'bytes', limit: 500_000_000, subject: 'Rows of device lists', freedBy: 'Remove a list first.' },
  words: { unit: 'records', limit: 2_000, subject: 'Taught words', freedBy: 'Forget a word first.' },
  stock_photos: {
    unit: 'bytes',
    limit: 1_000_000_000,
    subject: 'Photos of devices in stock',
    freedBy: 'Delete photos of sold devices.',
  },
  seller_photos: {
    unit: 'bytes',
    limit: 1_000_000_000,
    subject: 'Photos of sellers',
    freedBy: 'Set seller_retention_days, or record the purchase without photos.',
  },
  watches: { unit: 'records', limit: 50_000, subject: 'Watches', freedBy: 'End a watch first.' },
  share_codes: { unit: 'records', limit: 50_000, subject: 'Share codes in use', freedBy: 'Revoke a code first.' },
  keys: { unit: 'records', limit: 100, subject: 'Keys in use', freedBy: 'Revoke a key first.' },
  webhooks: { unit: 'records', limit: 20, subject: 'Webhook endpoints', freedBy: 'Remove one first.' },
} as const satisfies Record<string, StorageBound>

type StorageBound = {
  readonly unit: 'records' | 'bytes'
  readonly limit: number
  readonly subject: string
  readonly freedBy: string
}
export type StorageKind = keyof typeof STORAGE
export const STORAGE_KINDS = Object.keys(STORAGE) as [StorageKind, ...StorageKind[]]

export const storageSchema = component('StoredAmount', 'How much of one kind an organization stores.', {
  kind: z.enum(STORAGE_KINDS).describe('What is stored.'),
  unit: z.enum(['records', 'bytes']).describe('Unit of `used` and `limit`.'),
  used: z.int().min(0).describe('What is stored now.'),
  limit: z.int().min(0).describe('What may be stored. A write beyond it is rejected with 409.'),
})
export type StoredAmountWire = z.infer<typeof storageSchema>
