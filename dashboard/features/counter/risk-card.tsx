import { type FormEvent, useState } from 'react'
import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import { formatRelativeTime, pluralize } from '../../format.ts'
import { useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ScoreRing } from '../../ui/score-ring.tsx'
import { RISK_LEVEL_TONES } from '../lookups/lookup-page.tsx'
import { checkTypedImei } from '../lookups/typed-imei.ts'
import { useLookupThenCounter } from './device-search-box.tsx'

/** Risk score with its factors and the lists that cleared the device. */
export function RiskCard({ preview, look }: { preview: AppraisalPreviewWire; look: (identifier: string) => void }) {
  return preview.risk ? <RiskResult risk={preview.risk} /> : <RiskNotChecked look={look} />
}

function RiskResult({ risk }: { risk: LookupResultWire }) {
  const again = useLookupThenCounter()
  return (
    <Card title="Risk" action={<span className="muted">checked {formatRelativeTime(risk.timestamp)}</span>}>
      <div className="gauge">
        <ScoreRing value={risk.risk_score} tone={RISK_LEVEL_TONES[risk.risk_level]}>
          <strong>{risk.risk_score}</strong>
          <span>of 100</span>
        </ScoreRing>
        <div>
          <p>
            <Badge tone={RISK_LEVEL_TONES[risk.risk_level]}>{risk.risk_level} risk</Badge>{' '}
            <code>{risk.identifier}</code>
          </p>
          {risk.cleared_by.map((one) => (
            <p key={`${one.source} ${one.list}`} className="cleared">
              Cleared by {[one.list ?? one.source, one.area].filter(Boolean).join(', ')}
              {one.entries === null ? '' : ` (${pluralize(one.entries, 'entry', 'entries')})`}
              {one.updated_at === null ? '' : `, updated ${formatRelativeTime(one.updated_at)}`}
            </p>
          ))}
          {risk.cleared_by.length === 0 && risk.blacklist_status !== 'blacklisted' ? (
            <p className="muted">Not cleared by any blacklist source.</p>
          ) : null}
        </div>
      </div>
      <ul className="factors">
        {risk.risk_factors.map((factor) => (
          <li key={`${factor.code} ${factor.source}`}>
            <span>{factor.message}</span>
            <span className="number">{factor.points > 0 ? `+${factor.points}` : factor.points}</span>
          </li>
        ))}
      </ul>
      {risk.suggested_identifiers.length > 0 ? (
        <>
          <p className="note">Possible typo. Compare with the device:</p>
          <p className="suggestions">
            {risk.suggested_identifiers.map((identifier) => (
              <Button key={identifier} isBusy={again.isPending} onClick={() => again.lookUp(identifier)}>
                {identifier}
              </Button>
            ))}
          </p>
        </>
      ) : null}
    </Card>
  )
}

function RiskNotChecked({ look }: { look: (identifier: string) => void }) {
  const [identifier, setIdentifier] = useState('')
  const mayCheck = useHasTier('enterprise')
  const isDoubtful = checkTypedImei(identifier).state === 'mistyped'
  function submit(event: FormEvent) {
    event.preventDefault()
    look(identifier)
  }
  return (
    <Card title="Risk" note="Not checked yet. The offer assumes a clean identifier.">
      {mayCheck ? (
        <form className="question-row" onSubmit={submit}>
          <label className="search">
            <span className="visually-hidden">Identifier</span>
            <input
              required
              autoComplete="off"
              spellCheck={false}
              maxLength={64}
              placeholder="IMEI or serial number"
              value={identifier}
              onChange={(event) => setIdentifier(event.target.value)}
            />
          </label>
          <Button type="submit">Check</Button>
        </form>
      ) : (
        <p className="muted">Identifier checks need the Enterprise tier.</p>
      )}
      {isDoubtful ? (
        <p className="field-error" role="status">
          Check digit mismatch: one digit is mistyped.
        </p>
      ) : null}
    </Card>
  )
}
