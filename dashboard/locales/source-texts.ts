import { join } from 'node:path'
import { Glob } from 'bun'

/** Reads the source for the tests of the catalogues: which keys it uses, and which texts it still contains. */

const ROOT = join(import.meta.dir, '../..')

export async function sourceFiles(pattern: string): Promise<{ path: string; source: string }[]> {
  const paths = [...new Glob(pattern).scanSync(ROOT)]
    .filter((path) => !/\.test\.|\/source-texts\.ts$/.test(path))
    .sort()
  return Promise.all(paths.map(async (path) => ({ path, source: await Bun.file(join(ROOT, path)).text() })))
}

const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
const transpilers = {
  tsx: new Bun.Transpiler({ loader: 'tsx', target: 'browser' }),
  ts: new Bun.Transpiler({ loader: 'ts', target: 'browser' }),
}

/** JavaScript without types and comments; JSX is `jsx('p', { children: 'text' })`. */
function transpile(path: string, source: string): string {
  return transpilers[path.endsWith('.tsx') ? 'tsx' : 'ts'].transformSync(source)
}

/** All string literals, also those inside the values of a template. A template has `*` in place of each value. */
export function stringLiterals(path: string, source: string): string[] {
  const found: string[] = []
  readCode(transpile(path, source), 0, found)
  return found
}

const QUOTED = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/y
/** Where a value may begin, so that `/` does not divide. */
const REGULAR_EXPRESSION =
  /(?<=[(,=:[!&|?{};\n]\s*|\breturn )\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y

/** Adds the literals of the code from `at` to the `}` that closes it, and returns the place of that `}`. */
function readCode(code: string, at: number, found: string[]): number {
  let depth = 0
  while (at < code.length) {
    const character = code[at] ?? ''
    if (character === '}' && depth-- === 0) return at
    if (character === '{') depth++
    if (character === '`') {
      at = readTemplate(code, at + 1, found)
      continue
    }
    const pattern = character === '/' ? REGULAR_EXPRESSION : QUOTED
    pattern.lastIndex = at
    const match = pattern.exec(code)
    const literal = match?.[1] ?? match?.[2]
    if (literal !== undefined) found.push(literal)
    at += match?.[0].length ?? 1
  }
  return at
}

/** Adds the template whose text begins at `at`, and what its values contain; returns the place behind it. */
function readTemplate(code: string, at: number, found: string[]): number {
  let text = ''
  while (at < code.length && code[at] !== '`') {
    if (code.startsWith('${', at)) {
      at = readCode(code, at + 2, found) + 1
      text += '*'
    } else {
      const length = code[at] === '\\' ? 2 : 1
      text += code.slice(at, at + length)
      at += length
    }
  }
  found.push(text)
  return at + 1
}

const withoutValues = (template: string) => template.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '*')

/** Properties whose value is shown to people. */
const SHOWN = 'children|title|label|hint|note|lead|placeholder|alt|text|name|noun|error|automatic|"aria-label"'
const SHOWN_TEXT = new RegExp(
  `(?:^|[\\s{,(])(?:${SHOWN}): (?:\\[\\s*)?(?:"((?:[^"\\\\\\n]|\\\\.)*)"|\`((?:[^\`\\\\]|\\\\.)*)\`)`,
  'g',
)
/** A sentence or label wherever it stands: a capital letter, then more words. */
const SENTENCE = /^\p{Lu}\p{Ll}*(?:[’'-]\p{Ll}+)?,? (?:\p{L}|\*|\d)/u
const HAS_WORD = /\p{L}{2}/u

/** Texts for people in the source, which belong into a catalogue. */
export function textLiterals(path: string, source: string): string[] {
  const code = transpile(path, source).replace(/^import .*$/gm, '')
  const shown = [...code.matchAll(SHOWN_TEXT)].map((match) => withoutValues(match[1] ?? match[2] ?? ''))
  const inChildren = [...code.matchAll(/^\s*"((?:[^"\\\n]|\\.)*)",?$/gm)].map((match) => match[1] ?? '')
  const sentences = [...code.matchAll(STRING)]
    .map((match) => withoutValues(match[1] ?? match[2] ?? match[3] ?? ''))
    .filter((text) => SENTENCE.test(text))
  return [
    ...new Set([
      ...shown.filter((text) => HAS_WORD.test(text)),
      ...inChildren.filter((text) => / /.test(text) && HAS_WORD.test(text)),
      ...sentences,
    ]),
  ]
}
