/** What a title says, before anybody asks which device that is. */
import type { Token } from './tokens.ts'

/** An amount of memory, in gigabytes. */
export type MemoryAmount = { readonly gigabytes: number; readonly isRam: boolean }

export type TitleFacts = {
  readonly tokens: readonly Token[]
  readonly memoryAmounts: MemoryAmount[]
  readonly inches: number[]
  readonly millimeters: number[]
  /** Years that stand beside the model's name, and such that stand elsewhere and may say when it was bought. */
  readonly years: number[]
  readonly otherYears: number[]
  partOfYear: string | null
  generation: number | null
  readonly chips: string[]
  /** Whose processor a computer has, by the chip that was said. */
  processor: 'intel' | 'amd' | null
  /** Series of phone chips that the title names: "dimensity". */
  readonly chipSeries: string[]
  /** Battery capacity in mAh. */
  batteryMah: number | null
  ports: number | null
  /** The fastest network named: 3, 4 or 5. */
  networkGeneration: number | null
  /** A share of battery was given: only a device has one. */
  hasBattery: boolean
  /** More than one of them is sold. */
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
  /** Chips of the M and A kind are read at Apple only: elsewhere M2 and A16 are models. */
  readonly isApple: boolean
  /** The piece names a model, a line or a make. */
  readonly isModelToken: (token: Token) => boolean
  /** A number is part of a name although it looks like a size or a count: "Nokia 5.4", "GT Neo 3 150W". */
  readonly isNameNumber: (text: string) => boolean
}
