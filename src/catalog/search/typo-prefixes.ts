/** The distinct words of a registry in the order of their code points. */
export type Vocabulary = {
  /** The first word that is not before `text`. */
  firstFrom(text: string): string | undefined
}

export function hasPrefix(vocabulary: Vocabulary, prefix: string): boolean {
  return vocabulary.firstFrom(prefix)?.startsWith(prefix) ?? false
}

export function hasWord(vocabulary: Vocabulary, word: string): boolean {
  return vocabulary.firstFrom(word) === word
}

/**
 * Prefixes of words that are one typing error away from `word`: a letter inserted, deleted, substituted, or two swapped.
 * Walks the vocabulary like a trie, so prefixes without words are never tried.
 */
export function typoPrefixes(vocabulary: Vocabulary, word: string): Set<string> {
  const prefixes = new Set<string>()
  const addIfUsed = (prefix: string) => {
    if (prefix && !prefixes.has(prefix) && hasPrefix(vocabulary, prefix)) prefixes.add(prefix)
  }
  const letters = Array.from(word)
  let prefix = ''
  for (const [place, letter] of letters.entries()) {
    const rest = letters.slice(place + 1)
    addIfUsed(prefix + rest.join(''))
    const next = rest[0]
    if (next !== undefined && next !== letter) addIfUsed(prefix + next + letter + rest.slice(1).join(''))
    for (const other of lettersAfter(vocabulary, prefix)) {
      if (other === letter) continue
      addIfUsed(prefix + other + rest.join(''))
      addIfUsed(prefix + other + letter + rest.join(''))
    }
    prefix += letter
    if (!hasPrefix(vocabulary, prefix)) break
  }
  return prefixes
}

/** The letters that follow a prefix in some word. */
function* lettersAfter(vocabulary: Vocabulary, prefix: string): Generator<string> {
  // No word contains the character 0, so this is after the prefix itself and before every longer word.
  let word = vocabulary.firstFrom(`${prefix}\u0000`)
  while (word?.startsWith(prefix)) {
    const codePoint = word.codePointAt(prefix.length) as number
    yield String.fromCodePoint(codePoint)
    if (codePoint >= 0x10ffff) return
    // Surrogates are no characters; the code points that follow them are.
    const nextCodePoint = codePoint + 1 >= 0xd800 && codePoint + 1 <= 0xdfff ? 0xe000 : codePoint + 1
    word = vocabulary.firstFrom(prefix + String.fromCodePoint(nextCodePoint))
  }
}
