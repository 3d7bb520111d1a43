/** What one list says about one device, before it meets the registry. */
import type { Attribute, DatePrecision, DeviceStatus, ListPrice } from '../../catalog/device.ts'
import type { FactOrigin } from './fact-origins.ts'

/** Fact → origin, for the facts whose origin differs from the record's own. */
export type Provenance = Readonly<Record<string, string>>

/** By fact, so that what is the same is written the same. */
export function sortProvenance(provenance: Provenance): Provenance {
  const facts = Object.keys(provenance)
  if (facts.length < 2) return provenance
  return Object.fromEntries(facts.sort().map((fact) => [fact, provenance[fact] as string]))
}

export type VariantDraft = {
  /** Only our own format names ids; elsewhere they follow from the attributes. */
  readonly id?: string | undefined
  readonly sku?: string | undefined
  readonly name?: string | undefined
  /** Absent if the list states no price: the variant is then stored with price 0. */
  readonly listCents?: number | undefined
  /** What was announced elsewhere, in US cents without tax. */
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
  /** The category was guessed from the name. */
  readonly categoryInferred?: boolean | undefined
  readonly releasedOn?: string | null | undefined
  readonly releasePrecision?: DatePrecision | null | undefined
  readonly status?: DeviceStatus | undefined
  readonly specifications?: Readonly<Record<string, string>> | undefined
  readonly modelNumbers?: readonly string[] | undefined
  readonly modelIdentifiers?: readonly string[] | undefined
  /** A model number of this list belongs to one device only. */
  readonly modelNumbersAreUnique?: boolean | undefined
  /** Devices whose identifiers this list would know, and does not name, are others even where a model number is shared. */
  readonly identifiersMustAgree?: boolean | undefined
  readonly variants?: readonly VariantDraft[] | undefined
  readonly source: FactOrigin
  /**
   * All that the source has to say of the device: what it said of it before and does not say now is withdrawn, and
   * variants that lesser sources made up for want of real ones go.
   */
  readonly isComplete?: boolean | undefined
  /** Our own export keeps who said what. */
  readonly provenance?: Provenance | undefined
  /** Line of the file it began on. */
  readonly line: number
}
