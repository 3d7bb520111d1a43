/** Words by which the columns of lists are recognised, in all languages. Price lists and device lists share them. */
import wordsByLanguage from '../../data/aliases/columns.json' with { type: 'json' }
import { columnKey } from './column-key.ts'

export type NamedColumn = keyof (typeof wordsByLanguage)['en']

/** Of several columns that fit, the word that comes first here counts; English comes first. */
export const COLUMN_WORDS = Object.fromEntries(
  Object.keys(wordsByLanguage.en).map((column) => [
    column,
    Object.values(wordsByLanguage).flatMap(
      (words: Partial<Record<string, string>>) => words[column]?.split(', ') ?? [],
    ),
  ]),
) as unknown as Readonly<Record<NamedColumn, readonly string[]>>

/** The words as `columnKey` writes them. */
export const COLUMN_KEYS = Object.fromEntries(
  Object.entries(COLUMN_WORDS).map(([column, words]) => [column, words.map(columnKey)]),
) as unknown as Readonly<Record<NamedColumn, readonly string[]>>

const LANGUAGES_BY_KEY = Map.groupBy(
  Object.entries(wordsByLanguage).flatMap(([language, words]) =>
    Object.values(words).flatMap((list) => list.split(', ').map((word) => ({ language, key: columnKey(word) }))),
  ),
  ({ key }) => key,
)

/**
 * The language of the most titles, if it is the only one of so many, two titles are words of it and not of English, and no other
 * language has words of its own among them.
 */
export function languageOfTitles(titles: readonly string[]): string | null {
  const spoken = titles.flatMap((title) => {
    const key = columnKey(title)
    // `Prezzo €` is the word `prezzo`.
    const words = LANGUAGES_BY_KEY.get(key) ?? LANGUAGES_BY_KEY.get(key.replace(/ [^\p{L}]+$/u, '')) ?? []
    const languages = new Set(words.map(({ language }) => language))
    return languages.size === 0 || languages.has('en') ? [] : [languages]
  })
  const counts = [
    ...Map.groupBy(
      spoken.flatMap((languages) => [...languages]),
      (language) => language,
    ),
  ]
    .map(([language, each]) => ({ language, titles: each.length }))
    .sort((a, b) => b.titles - a.titles)
  const [best, second] = counts
  if (!best || best.titles < 2 || best.titles === second?.titles) return null
  const isOwnOfOther = spoken.some((languages) => languages.size === 1 && !languages.has(best.language))
  return isOwnOfOther ? null : best.language
}
