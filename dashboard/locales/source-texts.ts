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

/** All string literals. A template has `*` in place of each value. */
export function stringLiterals(path: string, source: string): string[] {
  return [...transpile(path, source).matchAll(STRING)].map((match) =>
    withoutValues(match[1] ?? match[2] ?? match[3] ?? ''),
  )
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
