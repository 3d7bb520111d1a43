import { expect, test } from 'bun:test'
import i18next from 'i18next'
import type { ActivityWire } from '../../../src/contract/audit.ts'
import { loadLanguage } from '../../i18n.ts'
import { actorDetail, actorName, describeActivity, foldRepeats, withoutBeginnings } from './describe-activity.ts'

const entry = (action: string, format: string, who = 'ada@example.test'): ActivityWire => ({
  id: `act_${action}_${format}`,
  at: '2026-01-01T00:00:00.000Z',
  who,
  who_name: null,
  organization_id: null,
  organization_name: null,
  action,
  subject: 'x',
  subject_name: null,
  detail: { format },
})

test('an import is shown once: its end, or its start while it runs', () => {
  const shown = withoutBeginnings([
    entry('import.finished', 'observations'),
    entry('import.started', 'repairs'),
    entry('import.started', 'observations'),
    entry('import.started', 'observations'),
    entry('import.failed', 'tac', 'feed tac'),
    entry('key.created', 'tac'),
  ])
  expect(shown.map(({ action, detail }) => `${action} ${detail.format}`)).toEqual([
    'import.finished observations',
    'import.started repairs',
    'import.started observations',
    'import.failed tac',
    'key.created tac',
  ])
})

test('programs have names in the language of the page', async () => {
  await loadLanguage('de')
  await i18next.changeLanguage('de')
  const shown = (who: string) => [actorName({ who, who_name: null }), actorDetail({ who, who_name: null })]
  expect(shown('first start')).toEqual(['Erster Start', ''])
  expect(shown('command line (root)')).toEqual(['Kommandozeile', 'root'])
  expect(shown('API key Till (key_01)')).toEqual(['API-Schlüssel Till', 'key_01'])
  expect(shown('feed prices')).toEqual(['Feed prices', ''])
  expect(shown('ada@example.test')).toEqual(['ada@example.test', ''])
  await i18next.changeLanguage('en')
})

test('a change of the policy names its terms, with amounts in their currency', async () => {
  await loadLanguage('de')
  await i18next.changeLanguage('de')
  const change = (detail: ActivityWire['detail']) =>
    describeActivity({ ...entry('organization.policy_changed', ''), detail }).replaceAll('\u00a0', ' ')
  const said = 'hat die Ankaufsregeln geändert: '
  expect(change({ min_profit: '2500', target_margin_percent: '20', currency: 'EUR' })).toBe(
    `${said}Mindestgewinn 25 €, Zielmarge 20 %`,
  )
  expect(change({ action_at_high_risk: 'reject', clerks_see_margins: 'true', offer_rounding: 'default' })).toBe(
    `${said}Hohes Risiko Ablehnen, Mitarbeiter sehen Margen Ja, Angebote runden auf Standard`,
  )
  expect(change({ currency: 'EUR' })).toBe(`${said}EUR`)
  await i18next.changeLanguage('en')
})

test('what a key did many times in a row is one group, what people did is not', () => {
  const of = (who: string, action: string) => ({ ...entry(action, ''), who })
  const groups = foldRepeats([
    of('API key Till (key_01)', 'appraisal.created'),
    of('API key Till (key_01)', 'appraisal.created'),
    of('API key Till (key_01)', 'appraisal.outcome_recorded'),
    of('ada@example.test', 'appraisal.created'),
    of('ada@example.test', 'appraisal.created'),
    of('API key Till (key_01)', 'appraisal.created'),
  ])
  expect(groups.map(({ length }) => length)).toEqual([2, 1, 1, 1, 1])
})
