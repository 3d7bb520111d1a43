import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CONDITIONS, type Condition } from '../../../src/contract/condition-grades.ts'
import type { DefectCode } from '../../../src/contract/defect-catalogue.ts'
import { DEFECTS } from '../../../src/contract/device-kinds.ts'
import type { DeviceListWordWire } from '../../../src/contract/device-lists.ts'
import { codeTexts } from '../../codes.ts'
import { formatCount } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import type { AppraisedRow } from './appraised-row.ts'
import type { ListChange } from './list-rows.ts'

const TEACHABLE = ['unknown_grade', 'unread_words', 'unread_note', 'fault_not_stated']
const SHOWN = 6
const NOTHING = 'nothing'

/** Words that were not read, with their rows, most frequent first. */
export function unreadWords(rows: readonly AppraisedRow[]): { word: string; lines: number[] }[] {
  const lines = new Map<string, number[]>()
  for (const { line, words } of rows) {
    const parts = words.filter(({ code }) => TEACHABLE.includes(code)).flatMap((question) => question.words.split(', '))
    for (const word of new Set(parts)) lines.set(word, [...(lines.get(word) ?? []), line])
  }
  return [...lines].map(([word, at]) => ({ word, lines: at })).toSorted((a, b) => b.lines.length - a.lines.length)
}

/** Asks once what an unread word means. The answer holds for all later lists of the organization. */
export function TeachCard({
  rows,
  words,
  teach,
}: {
  rows: readonly AppraisedRow[]
  words: readonly DeviceListWordWire[]
  teach: (change: ListChange) => Promise<void>
}) {
  const { t } = useTranslation('appraise-list')
  const { gradeName, defect } = codeTexts()
  const [showsAll, setShowsAll] = useState(false)
  const saving = useApiMutation()
  const unread = unreadWords(rows)
  if (unread.length === 0 && words.length === 0) return null
  const learn = (word: string, lines: readonly number[], meaning: string) =>
    saving.mutate(() =>
      teach({
        words: [
          {
            word,
            condition: CONDITIONS.find((grade) => grade === meaning),
            defect: DEFECTS.find(({ code }) => code === meaning)?.code as DefectCode | undefined,
          },
        ],
        rows: lines.map((line) => ({ line })),
      }),
    )
  const meaningOf = ({ condition, defect: code }: { condition: Condition | null; defect: string | null }) =>
    condition ? gradeName(condition) : code ? defect(code, null).name : t('teach.nothing')
  return (
    <Card title={t('teach.title')} note={t('teach.note')}>
      <ErrorMessage error={saving.error} />
      <ul className="teach-list">
        {unread.slice(0, showsAll ? unread.length : SHOWN).map(({ word, lines }) => (
          <li key={word}>
            <span>
              <strong>{word}</strong> <span className="muted">{t('teach.rows', { count: lines.length })}</span>
            </span>
            <select
              aria-label={t('teach.meaning', { word })}
              value=""
              disabled={saving.isPending}
              onChange={(event) => learn(word, lines, event.target.value)}
            >
              <option value="" disabled>
                {t('teach.choose')}
              </option>
              <option value={NOTHING}>{t('teach.nothing')}</option>
              <optgroup label={t('field.condition')}>
                {CONDITIONS.map((grade) => (
                  <option key={grade} value={grade}>
                    {gradeName(grade)}
                  </option>
                ))}
              </optgroup>
              <optgroup label={t('field.defects')}>
                {DEFECTS.map(({ code }) => (
                  <option key={code} value={code}>
                    {defect(code, null).name}
                  </option>
                ))}
              </optgroup>
            </select>
          </li>
        ))}
      </ul>
      {unread.length > SHOWN && !showsAll ? (
        <Button variant="link" onClick={() => setShowsAll(true)}>
          {t('teach.all', { total: formatCount(unread.length) })}
        </Button>
      ) : null}
      {words.length > 0 ? (
        <details>
          <summary>{t('teach.known', { count: words.length })}</summary>
          <ul className="teach-list">
            {words.map((taught) => (
              <li key={taught.word}>
                <span>{t('teach.means', { word: taught.word, meaning: meaningOf(taught) })}</span>
                <Button
                  variant="link"
                  isBusy={saving.isPending}
                  onClick={() => saving.mutate(() => teach({ words: [{ word: taught.word, forget: true }] }))}
                >
                  {t('teach.forget')}
                </Button>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </Card>
  )
}
