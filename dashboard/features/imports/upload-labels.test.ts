import { expect, test } from 'bun:test'
import i18next from 'i18next'
import { loadLanguage } from '../../i18n.ts'
import type { Money } from '../../money.ts'
import { effectTexts, formatBytes } from './upload-labels.ts'

const money = {
  fromUsCents: (cents: number) => cents,
  formatWhole: (cents: number) => `$${cents / 100}`,
} as unknown as Money
const move = { device_id: 'a', name: 'Phone A', percent: 88, before: 8_000, after: 15_040 }

test('the effect of a list names each device once, on a line of its own', async () => {
  await loadLanguage('en')
  await i18next.changeLanguage('en')
  const departures = ['a', 'b'].map((id) => ({ device_id: id, name: `Phone ${id}`, first_price: 8_000, after: 15_000 }))
  const others = {
    devices: 4_090,
    average_percent: 3.4,
    largest: [{ device_id: 'c', name: 'Phone c', percent: 24.1 }],
  }
  const effect = { text: '', average_percent: 68, largest: [move], departures, others, is_large: true }
  expect(effectTexts(effect, money)).toEqual([
    { text: 'Moves prices by +68 % on average, most:', devices: ['Phone A +88 % ($80 → $150.4)'] },
    { text: 'More than half away from the first price:', devices: ['Phone b $150 (first price $80)'] },
    { text: 'Also moves 4,090 other devices by +3 % on average, the most:', devices: ['Phone c +24 %'] },
  ])
})

test('sizes of files are written in the language of the page', async () => {
  await loadLanguage('de')
  await i18next.changeLanguage('de')
  expect(formatBytes(4_400)).toBe('4,3 kB')
  expect(formatBytes(256 * 1024 * 1024)).toBe('256 MB')
  await i18next.changeLanguage('en')
})
