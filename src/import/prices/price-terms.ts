/** What holds for all rows of a price list, by which evidence, and what that overrules. */
import type { PriceSide } from '../../pricing/model/observation.ts'
import { type Decision, decide, type Stated } from '../../tables/precedence.ts'
import type { ColumnLayout, PriceColumn } from './price-columns.ts'
import type { PriceOptions } from './price-options.ts'

export const PRICE_FACTS = ['source', 'title', 'side', 'currency', 'market', 'date', 'vat', 'unit'] as const
export type PriceFact = (typeof PRICE_FACTS)[number]

/** `value` is null if each row states its own. */
export type PriceTerm = { readonly fact: PriceFact } & Decision<string | null>

/** Columns in whose place an option of the same meaning counts. A grade is stated for cells that are left empty. */
export const OPTION_OF_COLUMN: Readonly<Partial<Record<PriceColumn, PriceFact>>> = {
  source: 'source',
  model: 'title',
  side: 'side',
  currency: 'currency',
  country: 'market',
  date: 'date',
}

type TermFacts = {
  readonly options: Pick<PriceOptions, 'defaults' | 'vat' | 'unit'>
  /** Options that come from the profile. */
  readonly fromProfile: ReadonlySet<string>
  readonly layout: ColumnLayout
  /** What the file says in other words, by column. */
  readonly words: Partial<Record<PriceColumn, string>>
  /** What counts if nothing says otherwise. */
  readonly usual: {
    readonly source: string
    readonly date: string
    readonly market: string
    readonly currency: string | null
  }
}

export function decideTerms({ options, fromProfile, layout, words, usual }: TermFacts): readonly PriceTerm[] {
  const ofUser = (fact: PriceFact, value: string | undefined): Stated<string | null> =>
    fromProfile.has(fact) ? { profile: value } : { option: value }
  const ofColumn = (column: PriceColumn): Stated<string | null> =>
    layout.names[column] !== undefined || layout.overruled?.[column] !== undefined ? { column: null } : {}
  const { defaults } = options
  const side: PriceSide | undefined = layout.implied.side
  const stated: Record<PriceFact, Stated<string | null>> = {
    source: { ...ofUser('source', defaults.source), ...ofColumn('source'), setting: usual.source },
    title: { ...ofUser('title', defaults.model), ...ofColumn('model'), words: words.model },
    side: {
      ...ofUser('side', defaults.side),
      ...ofColumn('state'),
      ...ofColumn('side'),
      words: side ?? words.side,
    },
    currency: {
      ...ofUser('currency', defaults.currency),
      ...ofColumn('currency'),
      words: layout.implied.currency ?? words.currency,
      ...(usual.currency === null ? {} : { setting: usual.currency }),
    },
    market: {
      ...ofUser('market', defaults.country),
      ...ofColumn('country'),
      words: words.country,
      setting: usual.market,
    },
    date: { ...ofUser('date', defaults.date), ...ofColumn('listedOn'), ...ofColumn('date'), setting: usual.date },
    vat: { ...ofUser('vat', options.vat), words: layout.vat, setting: 'included' },
    unit: {
      ...ofUser('unit', options.unit === undefined ? undefined : String(options.unit)),
      words: layout.unit === undefined ? undefined : String(layout.unit),
      setting: '1',
    },
  }
  return PRICE_FACTS.flatMap((fact) => {
    const decision = decide(stated[fact])
    return decision ? [{ fact, ...decision }] : []
  })
}

/** "side ask (words of the file)", for the report of an import. */
export const describeTerms = (terms: readonly PriceTerm[]) =>
  terms
    .filter(({ fact, by }) => by !== 'setting' || !['source', 'unit'].includes(fact))
    .map(({ fact, value, by }) => `${fact} ${value ?? 'as each row says'} (${EVIDENCE_TEXTS[by]})`)
    .join(', ')

export const EVIDENCE_TEXTS: Readonly<Record<PriceTerm['by'], string>> = {
  option: 'option',
  profile: 'profile',
  column: 'column',
  words: 'words of the file',
  setting: 'usual',
}
