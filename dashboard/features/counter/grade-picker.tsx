import { useTranslation } from 'react-i18next'
import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import type { Condition } from '../../../src/contract/condition-grades.ts'
import { gradesOfKind } from '../../../src/contract/device-kinds.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatPercent } from '../../format.ts'
import { Card } from '../../ui/page.tsx'
import { seriesColour } from '../../ui/swatch.tsx'

/** The four grades with their criteria and the offer for each. */
export function GradePicker({
  preview,
  isCurrent,
  isRead,
  chosen,
  choose,
}: {
  preview: AppraisalPreviewWire
  isCurrent: boolean
  /** Whether the grade was read from the typed text. */
  isRead: boolean
  chosen: Condition | null
  choose: (grade: Condition) => void
}) {
  const { t } = useTranslation('counter')
  const texts = codeTexts()
  const grades = gradesOfKind(preview.identity.device_kind ?? null)
  const offerFor = (grade: Condition) =>
    preview.grades.find(({ condition }) => condition === grade)?.recommended_offer ?? null
  return (
    <Card title={t('grade.title')} note={t(isRead ? 'grade.read' : 'grade.note')}>
      <fieldset className="grades">
        <legend className="visually-hidden">{t('grade.legend')}</legend>
        {grades.map((grade, i) => (
          <label key={grade.name} className="grade" style={{ borderTopColor: seriesColour(i) }}>
            <input
              type="radio"
              name="grade"
              value={grade.name}
              checked={chosen === grade.name}
              onChange={() => choose(grade.name)}
            />
            <span className="grade-head">
              <strong>{texts.gradeName(grade.name)}</strong>
              <span className={isCurrent ? 'grade-offer' : 'grade-offer is-stale'}>
                {formatAmount(offerFor(grade.name), preview.currency)}
              </span>
            </span>
            <span className="grade-marks">
              {grade.screen ? <span>{texts.gradeScreen(grade)}</span> : null}
              <span>{texts.gradeBody(grade)}</span>
              <span>
                {grade.battery_min_percent
                  ? t('grade.battery', { percent: formatPercent(grade.battery_min_percent / 100) })
                  : null}{' '}
                {t(grade.fully_working ? 'grade.working' : 'grade.faulty')}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
    </Card>
  )
}
