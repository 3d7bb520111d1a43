import { expect, test } from 'bun:test'
import i18next from 'i18next'
import { loadLanguage } from '../../i18n.ts'
import { conditionText } from './condition-text.ts'

test('the label of a faulty device has its faults where others have the grade', async () => {
  await loadLanguage('de')
  await i18next.changeLanguage('de')
  expect(conditionText({ grade: 'Good', defects: [] })).toBe('Gut')
  expect(conditionText({ grade: null, defects: [] })).toBe('')
  expect(conditionText({ grade: null, defects: ['cracked_screen', 'weak_battery'] })).toMatch(/^Defekt: .+, .+$/)
  await loadLanguage('en')
  await i18next.changeLanguage('en')
})
