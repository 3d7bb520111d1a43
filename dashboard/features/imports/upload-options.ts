import type { PricePreviewWire } from '../../../src/contract/uploads.ts'

/** Import options as the API takes them; missing options are not set. */
export type UploadOptions = Readonly<Record<string, string>>

/** Parses an option with several pairs, such as columns or condition terms. */
export function parsePairs(text: string | undefined): Readonly<Record<string, string>> {
  if (!text) return {}
  if (text.startsWith('{')) return JSON.parse(text) as Record<string, string>
  // Profiles saved by the command line may have this form.
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

/** Value and change handler of the field of an option: `{...bind('side')}`. */
export const bindOptions = (options: UploadOptions, change: (options: UploadOptions) => void) => (name: string) => ({
  value: options[name] ?? '',
  onValueChange: (value: string) => change(withOption(options, name, value)),
})

export function withPair(options: UploadOptions, name: string, what: string, value: string): UploadOptions {
  const { [what]: _, ...rest } = parsePairs(options[name])
  const pairs = value === '' ? rest : { ...rest, [what]: value }
  return withOption(options, name, Object.keys(pairs).length === 0 ? '' : JSON.stringify(pairs))
}

/** Field of each column; null if ignored. */
export type ColumnMapping = Readonly<Record<string, string | null>>

export const toColumnMapping = (columns: PricePreviewWire['columns']): ColumnMapping =>
  Object.fromEntries(columns.map(({ name, field }) => [name, field]))

/** Assigns a field to a column and removes it from any other column. */
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
