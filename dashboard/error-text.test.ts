import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import i18next from 'i18next'
import { LANGUAGES } from '../src/contract/languages.ts'
import { errorText } from './error-text.ts'
import { loadLanguage } from './i18n.ts'

const ROOT = join(import.meta.dir, '..')
/** Only API clients and misconfigured proxies see these. */
const NOT_ON_PAGES = [/API key/, /\/mcp/, /OIDC_ISSUER/]

beforeAll(async () => {
  await Promise.all(LANGUAGES.map(loadLanguage))
  await i18next.changeLanguage('de')
})
afterAll(() => i18next.changeLanguage('en'))

test('every rejection that the sign-in and the permissions send has a sentence in the language of the page', async () => {
  const messages: string[] = []
  for (const path of new Glob('src/{auth,http,appraisal}/**/*.ts').scanSync(ROOT)) {
    if (path.endsWith('.test.ts')) continue
    const source = await Bun.file(join(ROOT, path)).text()
    const literals = source.matchAll(/new ApiError\(\s*'(?:FORBIDDEN|UNAUTHORIZED)',\s*(?:'([^']+)'|`([^`]+)`)/g)
    for (const [, text = '', template = ''] of literals)
      messages.push(text || template.replace(/^\$\{email\}/, 'a@b.example'))
  }
  const shown = messages.filter((message) => !NOT_ON_PAGES.some((pattern) => pattern.test(message)))
  expect(shown.length).toBeGreaterThan(8)
  const generic = errorText('FORBIDDEN', 'x')
  expect(shown.filter((message) => errorText('FORBIDDEN', message) === generic)).toEqual([])
})

test('names tier and person, keeps the detail of a wrong value, and is English on English pages', async () => {
  const tier =
    "This endpoint needs the Enterprise tier and your organization's is Paid. Upgrade to Enterprise to use it."
  expect(errorText('FORBIDDEN', tier)).toContain('Enterprise')
  expect(errorText('FORBIDDEN', 'Only an owner of the organization may do this.')).toBe('Das dürfen nur Inhaber.')
  const detail = 'name was ""; expected text of 1 to 100 characters.'
  expect(errorText('VALIDATION_ERROR', detail)).toContain(detail)
  await i18next.changeLanguage('en')
  expect(errorText('FORBIDDEN', tier)).toBe(tier)
})
