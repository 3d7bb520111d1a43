import { memoizeWeak } from '../../lib/memoize.ts'
import type { DeviceInput } from './observation.ts'

/** Groups of devices with their own depreciation curve. */
export type DepreciationFamily =
  | 'iphone'
  | 'flagship'
  | 'mid-range'
  | 'foldable'
  | 'ipad'
  | 'tablet'
  | 'macbook'
  | 'laptop'
  | 'gaming-laptop'
  | 'desktop'
  | 'apple-watch'
  | 'sports-watch'
  | 'watch'
  | 'tracker'
  | 'console'
  | 'handheld-pc'
  | 'vr'
  | 'camera'
  | 'small-camera'
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

/** Below this launch price (US cents) a phone is mid-range, not a flagship. */
const MID_RANGE_CENTS = 45_000

const BY_CATEGORY: ReadonlyMap<string, DepreciationFamily> = new Map(
  Object.entries({
    desktop: 'desktop',
    'fitness tracker': 'tracker',
    'vr headset': 'vr',
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
  } as const satisfies Record<string, DepreciationFamily>),
)

/** APS-C and smaller: 1 inch, 1/1.3 inch. */
const SMALL_SENSOR = /\bAPS-C\b|\bDX\b|-inch\b/

/** Chips for games, unlike those for office work and design. */
const GAMING_GRAPHICS = /GeForce|Radeon RX|^(?:GTX|RTX|RX) \d/

/** Their consoles are computers with a screen, which age like computers. */
const HANDHELD_PC_MAKERS: ReadonlySet<string> = new Set(['ASUS', 'Lenovo', 'MSI', 'GPD', 'AYANEO'])

const PHONES: ReadonlySet<string> = new Set<DepreciationFamily>(['iphone', 'flagship', 'mid-range', 'foldable'])

/**
 * Catalogues use singular and plural category names: "Smartphone", "Game Consoles". Memoized, because a market fit requests
 * the family of each device many times.
 */
export const familyOf = memoizeWeak((device: DeviceInput): DepreciationFamily => {
  const category = device.category.toLowerCase()
  const singular = category.replace(/(?<=ch)es$|s$/, '')
  const isApple = device.make === 'Apple'
  switch (singular) {
    case 'tablet':
      return isApple ? 'ipad' : 'tablet'
    case 'laptop':
      return isApple ? 'macbook' : GAMING_GRAPHICS.test(device.graphics ?? '') ? 'gaming-laptop' : 'laptop'
    case 'smartwatch':
      return isApple ? 'apple-watch' : device.make === 'Garmin' ? 'sports-watch' : 'watch'
    case 'game console':
      return HANDHELD_PC_MAKERS.has(device.make) ? 'handheld-pc' : 'console'
    case 'camera':
      return SMALL_SENSOR.test(device.sensor ?? '') ? 'small-camera' : 'camera'
    case 'smartphone':
    case '':
      return phoneFamily(device, isApple)
    default:
      return BY_CATEGORY.get(category) ?? BY_CATEGORY.get(singular) ?? 'other'
  }
})

function phoneFamily(device: DeviceInput, isApple: boolean): DepreciationFamily {
  if (isApple) return 'iphone'
  if (/\b(fold|flip|razr|find n|mix fold|mix flip|magic v|phantom v|x fold|pixel fold)/.test(idWords(device.deviceId)))
    return 'foldable'
  const prices = device.variants.flatMap(({ listCents }) => listCents || [])
  return prices.length && Math.min(...prices) < MID_RANGE_CENTS ? 'mid-range' : 'flagship'
}

const idWords = (id: string) => id.replaceAll('-', ' ').replace(/(fold|flip)/g, ' $1')

export const isPhone = (family: DepreciationFamily) => PHONES.has(family)
