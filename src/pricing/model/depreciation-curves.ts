import type { DepreciationFamily } from './device-family.ts'
import { FITTED_SHARES, FITTED_SHIFTS } from './family-coefficients.ts'

/** Ages in years of the curve points below; interpolated linearly in ln. */
export const FAMILY_AGES = [0, 1, 2, 3, 5, 8, 12] as const

/**
 * Share of the launch price paid for a device in Good at those ages. Except for MacBooks there was no price data to fit them
 * on, so they are expert estimates. Prices based on one have the additional spread `CURVE_SPREAD`; so do those of
 * MacBooks, because their data comes from one chain in one country.
 */
export const EXPERT_CURVES = {
  ipad: [0.82, 0.68, 0.58, 0.5, 0.36, 0.2, 0.09],
  tablet: [0.72, 0.52, 0.42, 0.34, 0.23, 0.13, 0.07],
  macbook: FITTED_SHARES.macbook,
  laptop: [0.72, 0.55, 0.45, 0.37, 0.25, 0.14, 0.08],
  'gaming-laptop': [0.84, 0.78, 0.66, 0.55, 0.37, 0.21, 0.12],
  desktop: [0.82, 0.7, 0.61, 0.54, 0.41, 0.23, 0.11],
  'apple-watch': [0.8, 0.62, 0.51, 0.42, 0.27, 0.13, 0.07],
  'sports-watch': [0.8, 0.66, 0.56, 0.48, 0.35, 0.21, 0.12],
  watch: [0.7, 0.46, 0.35, 0.28, 0.18, 0.1, 0.06],
  tracker: [0.6, 0.42, 0.34, 0.28, 0.18, 0.11, 0.07],
  console: [0.84, 0.84, 0.84, 0.84, 0.82, 0.62, 0.31],
  'handheld-pc': [0.82, 0.74, 0.64, 0.54, 0.36, 0.2, 0.11],
  vr: [0.84, 0.78, 0.72, 0.66, 0.53, 0.36, 0.2],
  camera: [0.83, 0.75, 0.69, 0.64, 0.55, 0.42, 0.27],
  'small-camera': [0.88, 0.84, 0.8, 0.76, 0.68, 0.55, 0.4],
  'action-camera': [0.75, 0.6, 0.5, 0.43, 0.33, 0.21, 0.12],
  drone: [0.8, 0.69, 0.61, 0.54, 0.44, 0.3, 0.17],
  headphones: [0.74, 0.6, 0.51, 0.44, 0.34, 0.23, 0.13],
  earbuds: [0.65, 0.51, 0.42, 0.35, 0.25, 0.16, 0.09],
  speaker: [0.7, 0.58, 0.5, 0.45, 0.36, 0.26, 0.16],
  'e-reader': [0.74, 0.62, 0.54, 0.47, 0.37, 0.26, 0.16],
  'streaming-player': [0.76, 0.68, 0.62, 0.58, 0.5, 0.4, 0.28],
  'media-player': [0.74, 0.62, 0.54, 0.48, 0.4, 0.32, 0.24],
  'graphics-card': [0.84, 0.82, 0.79, 0.73, 0.55, 0.33, 0.17],
  other: [0.7, 0.55, 0.46, 0.39, 0.29, 0.18, 0.1],
} as const satisfies Partial<Record<DepreciationFamily, readonly number[]>>

/** Additional spread (ln) of a price whose curve is an expert estimate, or contradicted by some data sets: all but iPhones. */
export const CURVE_SPREAD = 0.2
/**
 * Of families whose prices follow performance rather than launch price and age: graphics cards, and laptops, whose graphics chip
 * and processor are seldom known. Of cameras too, whose prices follow the demand for a format.
 */
export const WIDE_CURVE_SPREAD = 0.3
export const WIDE_CURVE_FAMILIES: ReadonlySet<DepreciationFamily> = new Set<DepreciationFamily>([
  'graphics-card',
  'laptop',
  'gaming-laptop',
  'camera',
  'small-camera',
])

/**
 * Poor relative to Good (ln), in addition to the step of phones. Expert estimates: without a display to crack, worn devices keep
 * more; what is worn on the body, and displays that cost as much as the device, lose more.
 */
export const POOR_SHIFTS: Readonly<Partial<Record<DepreciationFamily, number>>> = {
  console: 0.14,
  'handheld-pc': 0.05,
  desktop: 0.14,
  'graphics-card': 0.1,
  'streaming-player': 0.14,
  speaker: 0.1,
  ipad: -0.08,
  tablet: -0.12,
  macbook: -0.08,
  laptop: -0.08,
  'gaming-laptop': -0.08,
  'apple-watch': -0.12,
  watch: -0.15,
  'sports-watch': -0.08,
  tracker: -0.2,
  headphones: -0.12,
  earbuds: -0.25,
  'e-reader': -0.12,
  camera: -0.05,
  'small-camera': -0.05,
  drone: -0.12,
  vr: -0.1,
}

/**
 * Shifts (ln) of phone families from the shared phone curve: at launch, and per year between two ages. The shift of mid-range
 * phones is fitted. The others are expert estimates, because the data sets contradict each other
 * (`npm run lab -- calibrate --families`): the direction follows most sets; for flagships it follows a US shop (June 2026) and
 * Vietnamese shops, which pay 20 to 25 % more at three to four years. Old mid-range phones in these shops keep more than a line
 * through all ages says: the slope `later` is half of what they show, and never lifts a cheap phone above one that cost more.
 */
export const PHONE_CURVE_SHIFTS = {
  iphone: {
    atLaunch: 0.06,
    perYear: 0.01,
    fromAge: 0,
    untilAge: 8,
    phasedIn: [Date.UTC(2022, 0, 1), Date.UTC(2024, 0, 1)],
  },
  flagship: { atLaunch: 0, perYear: 0.055, fromAge: 1.5, untilAge: 4.5 },
  'mid-range': {
    ...FITTED_SHIFTS['mid-range'],
    fromAge: 0,
    untilAge: 4,
    later: { perYear: 0.1, fromAge: 2, untilAge: 5 },
  },
  foldable: { atLaunch: -0.24, perYear: -0.01, fromAge: 0, untilAge: 6 },
} as const satisfies Partial<Record<DepreciationFamily, PhoneCurveShift>>

export type PhoneCurveShift = {
  readonly atLaunch: number
  readonly perYear: number
  readonly fromAge: number
  readonly untilAge: number
  readonly phasedIn?: readonly [from: number, until: number]
  /** A further slope, which a line through all ages does not have. */
  readonly later?: { readonly perYear: number; readonly fromAge: number; readonly untilAge: number }
}

/** Limits of a used price as a share of the launch price, for working devices. */
export const MIN_LAUNCH_PRICE_SHARE = 0.045
export const MAX_LAUNCH_PRICE_SHARE = 0.92
