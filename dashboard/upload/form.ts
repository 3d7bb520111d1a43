import type { PricePreviewWire } from '../../src/contract/uploads.ts'

/** What a person says about a list, as the service takes it. An option that is not there was not said. */
export type Options = Readonly<Record<string, string>>

/** Pairs of an option that holds several, such as columns or words. */
export function pairsIn(text: string | undefined): Readonly<Record<string, string>> {
  if (!text) return {}
  if (text.startsWith('{')) return JSON.parse(text) as Record<string, string>
  // As a profile may hold it that was saved on the command line.
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const cut = pair.lastIndexOf('=')
      return cut < 0 ? ['', pair.trim()] : [pair.slice(0, cut).trim(), pair.slice(cut + 1).trim()]
    }),
  )
}

export function withOption(options: Options, name: string, value: string): Options {
  const { [name]: _, ...rest } = options
  return value === '' ? rest : { ...rest, [name]: value }
}

export function withPair(options: Options, name: string, what: string, meant: string): Options {
  const { [what]: _, ...rest } = pairsIn(options[name])
  const pairs = meant === '' ? rest : { ...rest, [what]: meant }
  return withOption(options, name, Object.keys(pairs).length === 0 ? '' : JSON.stringify(pairs))
}

/** What each column is by the preview and what was said since; null for one that is left out. */
export type Mapping = Readonly<Record<string, string | null>>

export const mappingOf = (columns: PricePreviewWire['columns']): Mapping =>
  Object.fromEntries(columns.map(({ name, read_as }) => [name, read_as]))

/** A column is one thing, and one thing is one column: what is chosen is taken from where it stood. */
export function withColumn(mapping: Mapping, column: string, field: string | null): Mapping {
  const others = Object.entries(mapping).map(([name, is]) => [name, field !== null && is === field ? null : is])
  return { ...Object.fromEntries(others), [column]: field }
}

/**
 * The mapping as an option: what each thing is called in the file, and `-` for what was recognised and is not meant, now or
 * by what was said `before`.
 */
export function mapOption(mapping: Mapping, recognised: Mapping, before: string | undefined): string {
  const leftOut = Object.entries(pairsIn(before)).filter(([, column]) => column === '-')
  const map: Record<string, string> = Object.fromEntries(leftOut)
  for (const field of Object.values(recognised)) if (field !== null) map[field] = '-'
  for (const [column, field] of Object.entries(mapping)) if (field !== null) map[field] = column
  return JSON.stringify(map)
}
