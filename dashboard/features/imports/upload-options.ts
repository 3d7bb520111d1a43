import type { PricePreviewWire } from '../../../src/contract/uploads.ts'

/** What a person says about a list, as the service takes it. An option that is not there was not said. */
export type UploadOptions = Readonly<Record<string, string>>

/** Pairs of an option that holds several, such as columns or words. */
export function parsePairs(text: string | undefined): Readonly<Record<string, string>> {
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

export function withOption(options: UploadOptions, name: string, value: string): UploadOptions {
  const { [name]: _, ...rest } = options
  return value === '' ? rest : { ...rest, [name]: value }
}

export function withPair(options: UploadOptions, name: string, what: string, value: string): UploadOptions {
  const { [what]: _, ...rest } = parsePairs(options[name])
  const pairs = value === '' ? rest : { ...rest, [what]: value }
  return withOption(options, name, Object.keys(pairs).length === 0 ? '' : JSON.stringify(pairs))
}

/** What each column is by the preview and what was said since; null for one that is left out. */
export type ColumnMapping = Readonly<Record<string, string | null>>

export const toColumnMapping = (columns: PricePreviewWire['columns']): ColumnMapping =>
  Object.fromEntries(columns.map(({ name, read_as }) => [name, read_as]))

/** A column is one thing, and one thing is one column: what is chosen is taken from where it stood. */
export function withColumn(mapping: ColumnMapping, column: string, field: string | null): ColumnMapping {
  const others = Object.entries(mapping).map(([name, is]) => [name, field !== null && is === field ? null : is])
  return { ...Object.fromEntries(others), [column]: field }
}

/**
 * The mapping as an option: what each thing is called in the file, and `-` for what was recognised and is not meant, now or
 * by what was said `before`.
 */
export function toMapOption(mapping: ColumnMapping, recognised: ColumnMapping, before: string | undefined): string {
  const leftOut = Object.entries(parsePairs(before)).filter(([, column]) => column === '-')
  const map: Record<string, string> = Object.fromEntries(leftOut)
  for (const field of Object.values(recognised)) if (field !== null) map[field] = '-'
  for (const [column, field] of Object.entries(mapping)) if (field !== null) map[field] = column
  return JSON.stringify(map)
}
