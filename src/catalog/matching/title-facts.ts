/** Facts parsed from a title before a device is looked up. */
import type { Token } from './tokens.ts'

/** An amount of memory, in gigabytes. */
export type MemoryAmount = { readonly gigabytes: number; readonly isRam: boolean }

export type TitleFacts = ReturnType<typeof emptyTitleFacts>

export const emptyTitleFacts = (tokens: readonly Token[]) => ({
  tokens,
  memoryAmounts: [] as MemoryAmount[],
  inches: [] as number[],
  millimeters: [] as number[],
  /** Years next to the model's name. Years elsewhere (`otherYears`) may be the year of purchase. */
  years: [] as number[],
  otherYears: [] as number[],
  partOfYear: null as string | null,
  generation: null as number | null,
  chips: [] as string[],
  /** Graphics chips: "rtx 4060", "gtx 1660 ti". */
  graphics: [] as string[],
  /** Maker of the computer's processor, from the stated chip. */
  processor: null as 'intel' | 'amd' | null,
  /** Series of phone chips that the title names: "dimensity". */
  chipSeries: [] as string[],
  batteryMah: null as number | null,
  ports: null as number | null,
  /** The fastest network named: 3, 4 or 5. */
  networkGeneration: null as number | null,
  /** Battery health is stated, which only a device has. */
  hasBattery: false,
  /** Several units are sold. */
  isLot: false,
})

export type NumberContext = {
  /** M and A chips are recognised for Apple only: at other makes M2 and A16 are models. */
  readonly isApple: boolean
  /** The make sells cameras with lenses. */
  readonly hasLenses: boolean
  /** The piece names a model, a line or a make. */
  readonly isModelToken: (token: Token) => boolean
  /** A number is part of a name although it looks like a size or a count: "Nokia 5.4", "GT Neo 3 150W". */
  readonly isNameNumber: (text: string) => boolean
}
