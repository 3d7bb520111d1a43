import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { LANGUAGES, type Language } from '../../src/contract/languages.ts'
import en from './en.json'
import { sourceFiles, stringLiterals, textLiterals } from './source-texts.ts'

/** Names and technical terms that are the same in every language. */
const SAME_EVERYWHERE = new Set([
  'Device Intelligence',
  'curl',
  'JSON',
  'ms',
  '.env',
  'Ctrl K',
  'Back Market',
  'Tiếng Việt',
  '80 mm',
  'grade',
  'role',
  'tier',
  'what',
  'Quick start',
])

/** Folders of a namespace. */
const FOLDERS = ['dashboard/features/', 'src/appraisal/', 'src/']

type Catalogue = ReadonlyMap<string, string>

function flatten(texts: object, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [[prefix + name, value] as [string, string]] : flatten(value, `${prefix}${name}.`),
  )
}

const NAMESPACES = Object.keys(en)
const read = async (language: Language, namespace: string): Promise<Catalogue> => {
  const texts: Record<string, object> = await Bun.file(join(import.meta.dir, `${language}.json`)).json()
  return new Map(flatten(texts[namespace] ?? {}))
}

const pluralForms = (language: Language) => new Intl.PluralRules(language).resolvedOptions().pluralCategories
const PLURAL = /_(?:zero|one|two|few|many|other)$/
const withoutPlural = (key: string) => key.replace(PLURAL, '')
const isPlural = (english: Catalogue, key: string) => PLURAL.test(key) && english.has(`${withoutPlural(key)}_other`)

/** Keys a language must have: those of English, with its own plural forms. */
function expectedKeys(english: Catalogue, language: Language): string[] {
  const keys = [...english.keys()].flatMap((key) =>
    isPlural(english, key) ? pluralForms(language).map((form) => `${withoutPlural(key)}_${form}`) : [key],
  )
  return [...new Set(keys)].sort()
}

/** Placeholders and tags. A plural form may leave out the number: "a device". */
function marks(text: string, isPluralForm: boolean): string[] {
  const placeholders = [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => `{{${match[1]}}}`)
  const tags = [...text.matchAll(/<\/?\w+\/?>/g)].map(([tag]) => tag)
  return [...new Set(placeholders), ...tags].filter((mark) => !(isPluralForm && mark === '{{count}}')).sort()
}

/** One word for one thing: a shop that searches for "IMEI" finds it on every page and in every language. */
test.each(LANGUAGES)('what is an IMEI in English is called so in %s', async (language) => {
  const others: string[] = []
  for (const namespace of NAMESPACES) {
    const english = await read('en', namespace)
    for (const [key, text] of await read(language, namespace)) {
      const original = english.get(key) ?? english.get(`${withoutPlural(key)}_other`) ?? ''
      if (/\bIMEIs?\b/.test(original) && !text.includes('IMEI')) others.push(`${namespace}:${key}: ${text}`)
    }
  }
  expect(others).toEqual([])
})

/** Elements of HTML that have no content: as names of tags they would drop the text inside. */
const VOID_TAG = /<(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)>/

describe.each(NAMESPACES)('%s', (namespace) => {
  test.each(LANGUAGES)('has every text and every plural form in %s', async (language) => {
    const english = await read('en', namespace)
    const texts = await read(language, namespace)
    expect([...texts.keys()].sort()).toEqual(expectedKeys(english, language))
    expect([...texts].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([])
    const different = [...texts].filter(([key, text]) => {
      const plural = isPlural(english, key)
      const original = english.get(plural ? `${withoutPlural(key)}_other` : key) ?? ''
      return marks(text, plural).join() !== marks(original, plural).join()
    })
    expect([...texts.values()].filter((text) => VOID_TAG.test(text))).toEqual([])
    expect(different, 'texts whose placeholders or tags differ from the English ones').toEqual([])
  })
})

test('every text is used', async () => {
  const files = [
    ...(await sourceFiles('dashboard/**/*.{ts,tsx}')),
    ...(await sourceFiles('src/{app,appraisal,lib,mail,quotes,risk,stock,usage}/*.ts')),
    ...(await sourceFiles('src/lists/*.ts')),
    ...(await sourceFiles('src/import/*.ts')),
  ]
  const used = files.map(({ path, source }) => new Set(stringLiterals(path, source)))
  const escaped = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  const patternsOf = (literals: Set<string>) =>
    [...literals]
      .filter((literal) => /^[\w:.-]+[.:][\w.-]*\*[\w.*-]*$/.test(literal))
      .map((literal) => new RegExp(`^${escaped(literal).replaceAll('*', '[\\w-]+')}$`))
  const patterns = used.map(patternsOf)
  /** Keys without a namespace belong to `common`, to the feature folder or to a namespace that the file names. */
  const speaks = (namespace: string, index: number) =>
    namespace === 'common' ||
    used[index]?.has(namespace) ||
    FOLDERS.some((folder) => files[index]?.path.startsWith(folder + namespace))
  const isUsed = (namespace: string, key: string) =>
    used.some((literals, index) => {
      const matches = (name: string) => literals.has(name) || patterns[index]?.some((pattern) => pattern.test(name))
      return matches(`${namespace}:${key}`) || (speaks(namespace, index) && matches(key))
    })
  const unused: string[] = []
  for (const namespace of NAMESPACES) {
    const english = await read('en', namespace)
    for (const key of english.keys()) {
      const name = isPlural(english, key) ? withoutPlural(key) : key
      if (!isUsed(namespace, name)) unused.push(`${namespace}:${key}`)
    }
  }
  expect(unused).toEqual([])
})

test('style sheets use logical sides, so that right-to-left languages work', async () => {
  const PHYSICAL =
    /(?:margin|padding|border|inset)-(?:left|right)|^\s*(?:left|right):|(?:float: |text-align: )(?:left|right)/
  const files = await sourceFiles('dashboard/**/*.css')
  const found = files.flatMap(({ path, source }) =>
    source.split('\n').flatMap((line, at) => (PHYSICAL.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

test('pages contain no hard-coded text', async () => {
  const found: string[] = []
  for (const { path, source } of await sourceFiles('dashboard/**/*.{ts,tsx}')) {
    const texts = textLiterals(path, source).filter((text) => !SAME_EVERYWHERE.has(text.trim()))
    found.push(...texts.map((text) => `${path}: ${text}`))
  }
  expect(found).toEqual([])
})
