import type { Page } from 'playwright-core'
import en from '../../dashboard/locales/en.json'

/** Words that no other language of the dashboard has: two of them in one text make an English sentence. */
const ENGLISH_WORDS = 'the is are of not and with to this that it its for has have was were you your from by'.split(' ')

type Texts = { readonly [name: string]: string | Texts }

const flatten = (texts: Texts): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : flatten(text)))

/** English texts of the catalogue that a language translates, without those with values. */
async function untranslated(language: string): Promise<string[]> {
  const other: Texts = await Bun.file(new URL(`../../dashboard/locales/${language}.json`, import.meta.url)).json()
  const same = new Set(flatten(other))
  return [...new Set(flatten(en))].filter((text) => / /.test(text) && !/[{<]/.test(text) && !same.has(text))
}

/** Visible English texts of a page in another language; code, and what is marked as English, does not count. */
export async function englishTexts(page: Page, language: string): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const texts = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!element || element.closest('code, pre, script, style, textarea, body [lang="en"]')) continue
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      const text = (node.textContent ?? '').replace(/\s+/g, ' ').trim()
      if (/\p{L}{2}/u.test(text)) texts.add(text)
    }
    for (const element of document.querySelectorAll('[placeholder], [aria-label], [title]')) {
      if (element.closest('body [lang="en"]')) continue
      for (const name of ['placeholder', 'aria-label', 'title']) texts.add(element.getAttribute(name) ?? '')
    }
    return [...texts]
  })
  const catalogue = new Set(await untranslated(language))
  const isSentence = (text: string) => {
    const words = new Set(text.toLowerCase().match(/\p{L}+/gu) ?? [])
    return ENGLISH_WORDS.filter((word) => words.has(word)).length >= 2
  }
  return shown.filter((text) => catalogue.has(text) || isSentence(text))
}
