import { type FormEvent, useState } from 'react'
import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import { formatRelativeTime, pluralize } from '../../format.ts'
import { useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ScoreRing } from '../../ui/score-ring.tsx'
import { isProbableTypo, riskTone } from '../lookups/risk-badge.tsx'
import { checkTypedImei } from '../lookups/typed-imei.ts'

/** Reasons of an offer that come from the risk check. */
const RISK_REASONS =
  /^(?:blacklisted|recheck_identifier|report_pending|unverified_risk_too_high|risk_(?:medium|high|critical))$/

/** Whether the risk check decides or holds up the deal: it is then shown beside the offer, above the condition. */
export const isRiskDecisive = ({ risk, offer }: AppraisalPreviewWire) =>
  risk !== null && offer.reasons.some(({ code }) => RISK_REASONS.test(code))

/** Risk score with its factors and the lists that cleared the device. */
export function RiskCard({ preview, look }: { preview: AppraisalPreviewWire; look: (identifier: string) => void }) {
  const { risk } = preview
  if (!risk) return <RiskNotChecked look={look} />
  return isProbableTypo(risk) ? <CheckTheNumber risk={risk} look={look} /> : <RiskResult risk={risk} />
}

/** A probable typo says nothing about the device, so no score is shown. */
function CheckTheNumber({ risk, look }: { risk: LookupResultWire; look: (identifier: string) => void }) {
  return (
    <Card title="Check the number" action={<Badge tone="warn">probably mistyped</Badge>}>
      <p className="typed-identifier">
        <code>{risk.identifier}</code>
      </p>
      <p>{risk.risk_factors.find(({ points }) => points > 0)?.message} Compare it with the device.</p>
      {risk.suggested_identifiers.length > 0 ? (
        <>
          <p className="note">Possible corrections:</p>
          <p className="suggestions">
            {risk.suggested_identifiers.map((identifier) => (
              <Button key={identifier} onClick={() => look(identifier)}>
                {identifier}
              </Button>
            ))}
          </p>
        </>
      ) : null}
      <IdentifierForm look={look} label="Correct number" />
    </Card>
  )
}

function RiskResult({ risk }: { risk: LookupResultWire }) {
  const isUnchecked = risk.cleared_by.length === 0 && risk.blacklist_status === 'unknown'
  return (
    <Card title="Risk" action={<span className="muted">checked {formatRelativeTime(risk.timestamp)}</span>}>
      <div className="gauge">
        <ScoreRing value={risk.risk_score} tone={riskTone(risk)}>
          <strong>{risk.risk_score}</strong>
          <span>of 100</span>
        </ScoreRing>
        <div>
          <p>
            <Badge tone={riskTone(risk)}>{risk.risk_level} risk</Badge> <code>{risk.identifier}</code>
          </p>
          {risk.cleared_by.map((one) => (
            <p key={`${one.source} ${one.list}`} className="cleared">
              Cleared by {[one.list ?? one.source, one.area].filter(Boolean).join(', ')}
              {one.entries === null ? '' : ` (${pluralize(one.entries, 'entry', 'entries')})`}
              {one.updated_at === null ? '' : `, updated ${formatRelativeTime(one.updated_at)}`}
            </p>
          ))}
          {isUnchecked ? <p className="muted">Blacklist: not checked. No source covers this identifier.</p> : null}
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
    </Card>
  )
}

function RiskNotChecked({ look }: { look: (identifier: string) => void }) {
  const mayCheck = useHasTier('enterprise')
  return (
    <Card title="Risk" note="Not checked yet. The offer assumes a clean identifier.">
      {mayCheck ? (
        <IdentifierForm look={look} label="Identifier" />
      ) : (
        <p className="muted">Identifier checks need the Enterprise tier.</p>
      )}
    </Card>
  )
}

function IdentifierForm({ look, label }: { look: (identifier: string) => void; label: string }) {
  const [identifier, setIdentifier] = useState('')
  const isDoubtful = checkTypedImei(identifier).state === 'mistyped'
  function submit(event: FormEvent) {
    event.preventDefault()
    look(identifier)
  }
  return (
    <>
      <form className="question-row" onSubmit={submit}>
        <label className="search">
          <span className="visually-hidden">{label}</span>
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
      {isDoubtful ? (
        <p className="field-error" role="status">
          Check digit mismatch: one digit is mistyped.
        </p>
      ) : null}
    </>
  )
}
