/** The facts of one list about one device, before they are merged into the catalogue. */
import type { Attribute, DatePrecision, DeviceStatus, ListPrice } from '../../catalog/device.ts'
import type { FactOrigin } from './fact-origins.ts'

/** Fact → origin, for the facts whose origin differs from the record's own. */
export type Provenance = Readonly<Record<string, string>>

/** Sorted by fact, so that equal provenance is written equally. */
export function sortProvenance(provenance: Provenance): Provenance {
  const facts = Object.keys(provenance)
  if (facts.length < 2) return provenance
  return Object.fromEntries(facts.sort().map((fact) => [fact, provenance[fact] as string]))
}

export type VariantDraft = {
  /** Only our own format has ids; otherwise they are derived from the attributes. */
  readonly id?: string | undefined
  readonly sku?: string | undefined
  readonly name?: string | undefined
  /** Absent if the list states no price: the variant is then stored with price 0. */
  readonly listCents?: number | undefined
  /** Price announced in another country, in US cents without tax. */
  readonly announcedCents?: number | undefined
  readonly listPrices?: readonly ListPrice[] | undefined
  readonly disabled?: boolean | undefined
  readonly partNumbers?: readonly string[] | undefined
  readonly modelNumbers?: readonly string[] | undefined
  readonly attributes: readonly Attribute[]
  readonly source?: string | undefined
}

export type DeviceDraft = {
  readonly id?: string | undefined
  readonly make: string
  readonly name: string
  readonly category?: string | undefined
  readonly releasedOn?: string | null | undefined
  readonly releasePrecision?: DatePrecision | null | undefined
  readonly status?: DeviceStatus | undefined
  readonly specifications?: Readonly<Record<string, string>> | undefined
  readonly modelNumbers?: readonly string[] | undefined
  readonly modelIdentifiers?: readonly string[] | undefined
  readonly variants?: readonly VariantDraft[] | undefined
  readonly source: FactOrigin
  /**
   * The draft holds all facts of its source: earlier facts of the source that are missing now are withdrawn, and variants
   * of weaker sources are removed.
   */
  readonly isComplete?: boolean | undefined
  /** Our own export keeps the origin of each fact. */
  readonly provenance?: Provenance | undefined
  /** Line of the file where it begins. */
  readonly line: number
}
