import { beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import i18next from 'i18next'
import { exampleAppraisal } from '../src/contract/examples.ts'
import { LANGUAGES } from '../src/contract/languages.ts'
import { FAULTS, PART_KINDS, partName } from '../src/repairs/fault-kinds.ts'
import { presentNote, REPAIR_NOTE_CODES } from '../src/repairs/repair-notes.ts'
import { codeTexts } from './codes.ts'
import { loadLanguage } from './i18n.ts'

const REPAIRS = join(import.meta.dir, '../data/repairs')
const OTHERS = LANGUAGES.filter((language) => language !== 'en')

type BundledRecord = {
  readonly repairs?: readonly { readonly name?: string; readonly parts?: readonly { readonly name?: string }[] }[]
  readonly failure_points?: readonly { readonly text: string }[]
  readonly proprietary_parts?: readonly string[]
  readonly special_tools?: readonly string[]
}
const records = readdirSync(REPAIRS).flatMap(
  (file): BundledRecord[] => JSON.parse(readFileSync(join(REPAIRS, file), 'utf8')).records ?? [],
)
const bundled = records.flatMap(({ repairs = [] }) => repairs)
const failures = [
  ...Object.values(FAULTS).map(({ failure }) => failure),
  ...records.flatMap(({ failure_points = [] }) => failure_points.map(({ text }) => text)),
]
const proprietaryParts = records.flatMap(({ proprietary_parts = [] }) => proprietary_parts)
const tools = records.flatMap(({ special_tools = [] }) => special_tools)
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

test.each(OTHERS)('every bundled fault, proprietary part and tool has a text in %s', (language) => {
  const texts = codeTexts(language)
  const untranslated = (words: readonly string[], translate: (word: string) => string) =>
    [...new Set(words)].filter((word) => translate(word) === word)
  expect(untranslated(failures, texts.failurePoint)).toEqual([])
  expect(untranslated(proprietaryParts, texts.proprietaryPart)).toEqual([])
  expect(untranslated(tools, texts.repairTool)).toEqual([])
})

test.each(LANGUAGES)('every repair note has a sentence in %s', (language) => {
  const texts = codeTexts(language)
  const params = { models: 'iPhone 8', value: '6.1 inch', year: 2026, rate: 6000, parts: ['screen'], repairs: ['fan'] }
  for (const code of REPAIR_NOTE_CODES) {
    const { text: english } = presentNote(code, params, { rate: '$60', parts: 'screen', repairs: 'fan' })
    const text = texts.repairNote({ text: english, code, params }, () => '$60')
    expect(text, code).not.toMatch(/[{}]|undefined/)
    if (language !== 'en') expect(text, code).not.toBe(english)
    else
      expect(i18next.t(`codes:repairNote.${code}`, { ...params, rate: '$60', lng: 'en' }) as string, code).toBe(english)
  }
})

test('measures of a specification have the decimal sign of the language, versions stay as they are', () => {
  const { specValue } = codeTexts('de')
  expect(specValue('6.1-inch OLED, 2532 x 1170')).toBe('6,1 Zoll OLED, 2532 x 1170')
  expect(specValue('146.7 x 71.5 x 7.65 mm')).toBe('146,7 x 71,5 x 7,65 mm')
  expect(specValue('12 MP wide + 2.4 MP depth')).toBe('12 MP Weitwinkel + 2,4 MP Tiefe')
  expect(specValue('iOS 15.1')).toBe('iOS 15.1')
  expect(specValue('Bluetooth 5.3')).toBe('Bluetooth 5.3')
  expect(codeTexts('en').specValue('6.1-inch')).toBe('6.1-inch')
  expect(codeTexts('ko').specValue('174.5 g')).toBe('174.5 g')
})

test('a note of an import stays as it is', () => {
  const note = { text: 'We do these on Mondays.', code: null, params: {} }
  expect(codeTexts('de').repairNote(note, String)).toBe('We do these on Mondays.')
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
  type Parameters = Record<string, string | number>
  const line = (language: 'en' | 'de', parameters: Parameters, message = 'Price rule: +10 %') =>
    codeTexts(language).reason({ code: 'price_rule', message, parameters }, { ...exampleAppraisal, currency: 'EUR' })
  expect(line('de', { note: 'Week of the S24', percent: 10 })).toBe('Preisregel „Week of the S24“: +10 %')
  expect(line('de', { percent: -7.5 })).toBe('Preisregel: −7,5 %')
  expect(line('de', { limit: 125_000 }).replace(/\s/g, ' ')).toBe('Preisregel: höchstens 1.250,00 €')
  expect(line('en', { percent: 10 })).toBe('Price rule: +10 %')
  // Recorded before reasons had parameters.
  expect(line('de', {}, 'Price rule: −5 %')).toBe('Price rule: −5 %')
})

test.each(OTHERS)('a limit of the policy is in the sentence of a clerk in %s, who gets no policy', (language) => {
  const { plans: _plans, policy: _policy, ...appraisal } = exampleAppraisal
  const reasons: { code: string; parameters: Record<string, number> }[] = [
    { code: 'unverified_risk_too_high', parameters: { points: 35, maximum: 20 } },
    { code: 'low_price_confidence', parameters: { confidence: 31, minimum: 20 } },
  ]
  for (const reason of reasons) {
    const text = codeTexts(language).reason({ ...reason, message: 'English' }, appraisal)
    expect(text, reason.code).toContain('20')
    expect(text, reason.code).not.toBe('English')
  }
})
