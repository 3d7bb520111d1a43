import type { DeviceFacts } from './observation.ts'

/** Kinds of things that lose their price in their own way. */
export type Family =
  | 'iphone'
  | 'flagship'
  | 'mid-range'
  | 'foldable'
  | 'ipad'
  | 'tablet'
  | 'macbook'
  | 'laptop'
  | 'desktop'
  | 'apple-watch'
  | 'sports-watch'
  | 'watch'
  | 'tracker'
  | 'console'
  | 'vr'
  | 'camera'
  | 'action-camera'
  | 'drone'
  | 'headphones'
  | 'earbuds'
  | 'speaker'
  | 'e-reader'
  | 'streaming-player'
  | 'media-player'
  | 'graphics-card'
  | 'other'

/** Below this launch price (US cents) a phone is no flagship. */
const MID_RANGE_CENTS = 45_000

const BY_CATEGORY: ReadonlyMap<string, Family> = new Map(
  Object.entries({
    desktop: 'desktop',
    'fitness tracker': 'tracker',
    'game console': 'console',
    'vr headset': 'vr',
    camera: 'camera',
    'action camera': 'action-camera',
    drone: 'drone',
    headphones: 'headphones',
    earbuds: 'earbuds',
    'smart speaker': 'speaker',
    'portable speaker': 'speaker',
    speaker: 'speaker',
    'e-reader': 'e-reader',
    'streaming player': 'streaming-player',
    'media player': 'media-player',
    'graphics card': 'graphics-card',
  } as const satisfies Record<string, Family>),
)

const PHONES: ReadonlySet<string> = new Set<Family>(['iphone', 'flagship', 'mid-range', 'foldable'])

/** Asked for many times while a market is learnt, and the same every time. */
const known = new WeakMap<DeviceFacts, Family>()

export function familyOf(device: DeviceFacts): Family {
  const before = known.get(device)
  if (before) return before
  const family = readFamily(device)
  known.set(device, family)
  return family
}

/** Catalogues name a category in the singular or in the plural: "Smartphone", "Game Consoles". */
function readFamily(device: DeviceFacts): Family {
  const category = device.category.toLowerCase()
  const single = category.replace(/(?<=ch)es$|s$/, '')
  const apple = device.make === 'Apple'
  switch (single) {
    case 'tablet':
      return apple ? 'ipad' : 'tablet'
    case 'laptop':
      return apple ? 'macbook' : 'laptop'
    case 'smartwatch':
      return apple ? 'apple-watch' : device.make === 'Garmin' ? 'sports-watch' : 'watch'
    case 'smartphone':
    case '':
      return phoneFamily(device, apple)
    default:
      return BY_CATEGORY.get(category) ?? BY_CATEGORY.get(single) ?? 'other'
  }
}

function phoneFamily(device: DeviceFacts, apple: boolean): Family {
  if (apple) return 'iphone'
  if (/\b(fold|flip|razr|find n|mix fold|mix flip|magic v|phantom v|x fold|pixel fold)/.test(words(device.deviceId)))
    return 'foldable'
  const prices = device.variants.flatMap(({ listCents }) => listCents || [])
  return prices.length && Math.min(...prices) < MID_RANGE_CENTS ? 'mid-range' : 'flagship'
}

const words = (id: string) => id.replaceAll('-', ' ').replace(/(fold|flip)/g, ' $1')

export const isPhone = (family: Family) => PHONES.has(family)
