import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import type { Condition } from '../../../src/contract/condition-grades.ts'
import { gradesOfKind } from '../../../src/contract/device-kinds.ts'
import { formatAmount } from '../../format.ts'
import { Card } from '../../ui/card.tsx'

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
  const offerFor = (grade: Condition) =>
    preview.grades.find(({ condition }) => condition === grade)?.recommended_offer ?? null
  return (
    <Card
      title="Cosmetic grade"
      note={isRead ? 'Read from your text. Compare it with the device.' : 'Cosmetic grade only; tick faults below.'}
    >
      <fieldset className="grades">
        <legend className="visually-hidden">Grade</legend>
        {gradesOfKind(preview.identity.device_kind ?? null).map((grade, i) => (
          <label key={grade.name} className={`grade grade-${i}`}>
            <input
              type="radio"
              name="grade"
              value={grade.name}
              checked={chosen === grade.name}
              onChange={() => choose(grade.name)}
            />
            <span className="grade-head">
              <strong>{grade.name}</strong>
              <span className={isCurrent ? 'grade-offer' : 'grade-offer is-stale'}>
                {formatAmount(offerFor(grade.name), preview.currency)}
              </span>
            </span>
            <span className="grade-marks">
              {grade.screen ? <span>Screen: {grade.screen}</span> : null}
              <span>Body: {grade.body}</span>
              <span>
                {grade.battery_min_percent ? `Battery: ${grade.battery_min_percent} % or more. ` : null}
                {grade.fully_working ? 'Fully working.' : 'May have faults.'}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
    </Card>
  )
}
