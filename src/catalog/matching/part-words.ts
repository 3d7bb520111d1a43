/** Words for parts and accessories: "logic board" behind the name of a laptop is what is sold, and no fault of the laptop. */
import { once } from '../../lib/memoize.ts'
import { phraseFinder } from '../../text/phrases.ts'
import { isNumber, isWord, tokenize } from '../../text/text-tokens.ts'
import { BUNDLED_ALIASES } from './aliases.ts'
import { isModelWord } from './model-words.ts'

const THINGS = ['accessory', 'part', 'weak_part', 'box', 'weak_box'] as const

const finders = once(() => {
  const { plain, sides, colors, categories, connectivity, hints } = BUNDLED_ALIASES.words
  const all = (lists: Readonly<Record<string, readonly string[]>>) => Object.values(lists).flat()
  return {
    thing: phraseFinder(THINGS.flatMap((role) => plain[role] ?? [])),
    beside: phraseFinder([
      ...(plain.meant_for ?? []),
      ...all(sides),
      ...all(colors),
      ...all(categories),
      ...all(connectivity),
      ...hints.only,
      ...hints.extraAdjective,
    ]),
  }
})

/** Every word is one of a part or an accessory, of a side or a colour, or of a name: nothing says that it is broken. */
export function namesOnlyParts(text: string): boolean {
  const { thing, beside } = finders()
  const tokens = tokenize(text)
  let namesThing = false
  for (let at = 0; at < tokens.length; ) {
    const word = tokens[at]?.text ?? ''
    const ofThing = thing(tokens, at)
    namesThing ||= ofThing > 0
    const length = ofThing || beside(tokens, at)
    if (length > 0) at += length
    else if (isNumber(word) || !isWord(word) || isModelWord(word)) at++
    else return false
  }
  return namesThing
}
