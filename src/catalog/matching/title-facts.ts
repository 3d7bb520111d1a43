/** Facts parsed from a title before a device is looked up. */
import type { Token } from './tokens.ts'

/** An amount of memory, in gigabytes. */
export type MemoryAmount = { readonly gigabytes: number; readonly isRam: boolean }

export type TitleFacts = {
  readonly tokens: readonly Token[]
  readonly memoryAmounts: MemoryAmount[]
  readonly inches: number[]
  readonly millimeters: number[]
  /** Years next to the model's name. Years elsewhere (`otherYears`) may be the year of purchase. */
  readonly years: number[]
  readonly otherYears: number[]
  partOfYear: string | null
  generation: number | null
  readonly chips: string[]
  /** Maker of the computer's processor, from the stated chip. */
  processor: 'intel' | 'amd' | null
  /** Series of phone chips that the title names: "dimensity". */
  readonly chipSeries: string[]
  /** Battery capacity in mAh. */
  batteryMah: number | null
  ports: number | null
  /** The fastest network named: 3, 4 or 5. */
  networkGeneration: number | null
  /** Battery health is stated, which only a device has. */
  hasBattery: boolean
  /** Several units are sold. */
  isLot: boolean
}

export function emptyTitleFacts(tokens: readonly Token[]): TitleFacts {
  return {
    tokens,
    memoryAmounts: [],
    inches: [],
    millimeters: [],
    years: [],
    otherYears: [],
    partOfYear: null,
    generation: null,
    chips: [],
    processor: null,
    chipSeries: [],
    batteryMah: null,
    ports: null,
    networkGeneration: null,
    hasBattery: false,
    isLot: false,
  }
}

export type NumberContext = {
  /** M and A chips are recognised for Apple only: at other makes M2 and A16 are models. */
  readonly isApple: boolean
  /** The piece names a model, a line or a make. */
  readonly isModelToken: (token: Token) => boolean
  /** A number is part of a name although it looks like a size or a count: "Nokia 5.4", "GT Neo 3 150W". */
  readonly isNameNumber: (text: string) => boolean
}
