import { expect, test } from 'bun:test'
import { LANGUAGES } from '../contract/languages.ts'
import { rejectionOfEnglish, rejectionText } from '../lib/rejection-texts.ts'
import { REJECTIONS } from '../lib/rejections.ts'
import { translateRejectedRows } from './rejected-rows.ts'

async function translate(text: string, language: (typeof LANGUAGES)[number]): Promise<string> {
  async function* pieces() {
    yield text
  }
  return (await Array.fromAsync(translateRejectedRows(pieces(), language))).join('')
}

test('the file of rejected rows has titles and reasons in a language, and rows as they were', async () => {
  const report =
    'line,reason,detail,model,price\n4,unknown model,\'=x,iPhone 13 Ultra,"1,50"\n5,written elsewhere,,a,1\n'
  expect(await translate(report, 'de')).toBe(
    "\uFEFFZeile;Grund;Einzelheit;model;price\n4;unbekanntes Modell;'=x;iPhone 13 Ultra;1,50\n5;written elsewhere;;a;1\n",
  )
  expect(await translate(report, 'en')).toContain('4,unknown model,\'=x,iPhone 13 Ultra,"1,50"')
})

test('every reason has an English sentence of its own, by which reports on disk are translated', () => {
  for (const code of Object.keys(REJECTIONS)) expect(rejectionOfEnglish(rejectionText(code, 'en'))).toBe(code)
})

test.each(LANGUAGES)('every reason has a sentence in %s', (language) => {
  expect(Object.keys(REJECTIONS).filter((code) => rejectionText(code, language).includes('reason.'))).toEqual([])
})
