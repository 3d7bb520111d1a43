import { beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleAppraisal } from '../src/contract/examples.ts'
import { LANGUAGES } from '../src/contract/languages.ts'
import { FAULTS, PART_KINDS, partName } from '../src/repairs/fault-kinds.ts'
import { codeTexts } from './codes.ts'
import { loadLanguage } from './i18n.ts'

const REPAIRS = join(import.meta.dir, '../data/repairs')
const OTHERS = LANGUAGES.filter((language) => language !== 'en')

type BundledRepair = { readonly name?: string; readonly parts?: readonly { readonly name?: string }[] }
const bundled = readdirSync(REPAIRS).flatMap((file): BundledRepair[] => {
  const { records = [] } = JSON.parse(readFileSync(join(REPAIRS, file), 'utf8'))
  return records.flatMap(({ repairs = [] }) => repairs)
})
const names = [...Object.values(FAULTS).map(({ repair }) => repair), ...bundled.flatMap(({ name }) => name ?? [])]
const parts = [
  ...PART_KINDS.map(partName),
  ...bundled.flatMap((repair) => repair.parts ?? []).flatMap(({ name }) => name ?? []),
]

beforeAll(() => Promise.all(LANGUAGES.map(loadLanguage)))

test.each(OTHERS)('every bundled repair and part has a name in %s', (language) => {
  const texts = codeTexts(language)
  expect(names.filter((name) => texts.repairTitle(name) === name)).toEqual([])
  // Some words are the same: "Software" in German.
  expect(parts.filter((part) => !isTranslated(part, texts.repairPart(part)))).toEqual([])
})

const SAME_WORDS = new Set(['Trackpad', 'Software', 'Motor', 'Gimbal'])
const isTranslated = (english: string, text: string) => text !== english || SAME_WORDS.has(english)

test('texts of imported repairs stay as they are', () => {
  const texts = codeTexts('de')
  expect(texts.repairTitle('Antenna flex swap')).toBe('Antenna flex swap')
  expect(texts.failurePoint('Worn battery')).toBe('Akku verschlissen')
  expect(texts.failurePoint('Smells of smoke')).toBe('Smells of smoke')
})

test('a price rule is a line in the language of the page, with its name, change and limit', () => {
  const line = (language: 'en' | 'de', message: string) =>
    codeTexts(language).reason({ code: 'price_rule', message }, { ...exampleAppraisal, currency: 'EUR' })
  expect(line('de', 'Price rule "Week of the S24": +10 %')).toBe('Preisregel „Week of the S24“: +10 %')
  expect(line('de', 'Price rule: −7.5 %')).toBe('Preisregel: −7,5 %')
  expect(line('de', 'Price rule: at most €1,250.00').replace(/\s/g, ' ')).toBe('Preisregel: höchstens 1.250,00 €')
  expect(line('en', 'Price rule: +10 %')).toBe('Price rule: +10 %')
})
