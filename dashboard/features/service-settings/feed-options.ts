export type FeedOptions = Readonly<Record<string, string | true>>

/** `list=national, clears` as options; one without a value is `true`. */
export function parseOptions(text: string): FeedOptions {
  const pairs = text.split(',').map((pair) => pair.split('='))
  return Object.fromEntries(
    pairs.flatMap(([name = '', ...value]) => {
      const key = name.trim()
      return key ? [[key, value.length > 0 ? value.join('=').trim() : (true as const)]] : []
    }),
  )
}

export const formatOptions = (options: FeedOptions) =>
  Object.entries(options)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(', ')
