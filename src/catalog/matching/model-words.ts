/** Words of the names of makes, lines and models. */
import { foldText } from '../../lib/fold-text.ts'
import { once } from '../../lib/memoize.ts'
import { BUNDLED_ALIASES } from './aliases.ts'

const modelWords = once((): ReadonlySet<string> => {
  const { makes, models } = BUNDLED_ALIASES
  const texts = [
    ...Object.keys(makes.spellings),
    ...Object.values(makes.spellings).flat(),
    ...Object.values(models.lines).flat(),
    ...models.modelWords,
    ...models.adjacentWords,
  ]
  return new Set(texts.flatMap((text) => foldText(text).split(/[^\p{L}\p{N}]+/u)).filter((word) => word !== ''))
})

export const isModelWord = (word: string) => modelWords().has(foldText(word))
