import { ECB_RATES_URL } from '../../contract/currency.ts'

/** Feeds by name that need no further settings; each field can be overridden in the feeds file. */
export const FEED_PRESETS = {
  // The European Central Bank publishes at about 16:00 on business days.
  ecb: { name: 'ecb', format: 'rates', url: ECB_RATES_URL, schedule: '30 16 * * 1-5', time_zone: 'Europe/Berlin' },
} as const

export type FeedPreset = keyof typeof FEED_PRESETS

export const isFeedPreset = (name: unknown): name is FeedPreset =>
  typeof name === 'string' && Object.hasOwn(FEED_PRESETS, name)
