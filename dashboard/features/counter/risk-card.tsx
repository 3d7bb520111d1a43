import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import { codeTexts } from '../../codes.ts'
import { formatRelativeTime } from '../../format.ts'
import { localDay } from '../../local-day.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { ScoreRing } from '../../ui/score-ring.tsx'
import { identifiersOf, isProbableTypo, isUnchecked, riskTone, statusText } from '../lookups/risk-badge.tsx'
import { checkTypedImei } from '../lookups/typed-imei.ts'

/** Reasons of an offer that come from the risk check. */
const RISK_REASONS =
  /^(?:blacklisted|recheck_identifier|report_pending|unverified_risk_too_high|identifier_check_required|risk_(?:medium|high|critical))$/

/** Whether the risk check decides or holds up the deal: it is then shown beside the offer, above the condition. */
export const isRiskDecisive = ({ risk, offer }: AppraisalPreviewWire) =>
  risk !== null && offer.reasons.some(({ code }) => RISK_REASONS.test(code))

/** Risk score with its factors and the lists that cleared the device. */
export function RiskCard({ preview, look }: { preview: AppraisalPreviewWire; look: (identifier: string) => void }) {
  const { risk } = preview
  if (!risk) return null
  return isProbableTypo(risk) ? <CheckTheNumber risk={risk} look={look} /> : <RiskResult risk={risk} />
}

/** A probable typo says nothing about the device, so no score is shown. */
function CheckTheNumber({ risk, look }: { risk: LookupResultWire; look: (identifier: string) => void }) {
  const { t } = useTranslation('counter')
  const factor = risk.risk_factors.find(({ points }) => points > 0)
  return (
    <Card title={t('risk.checkNumber')} action={<Badge tone="warn">{t('risk.mistyped')}</Badge>}>
      <p className="typed-identifier">
        <code>{risk.identifier}</code>
      </p>
      <p>{t('risk.compare', { message: factor ? codeTexts().riskFactor(factor) : '' })}</p>
      {risk.suggested_identifiers.length > 0 ? (
        <>
          <p className="note">{t('risk.corrections')}</p>
          <div className="actions">
            {risk.suggested_identifiers.map((identifier) => (
              <Button key={identifier} onClick={() => look(identifier)}>
                {identifier}
              </Button>
            ))}
          </div>
        </>
      ) : null}
      <IdentifierForm look={look} label={t('risk.correctNumber')} />
    </Card>
  )
}

/** Factors that only say that nothing was checked. */
const WITHOUT_CHECK: ReadonlySet<string> = new Set(['blacklist_unverified', 'baseline'])

function RiskResult({ risk }: { risk: LookupResultWire }) {
  const { t } = useTranslation('counter')
  // Without a check there is no score: it would be the risk of not knowing.
  const isOpen = isUnchecked(risk)
  const factors = isOpen ? risk.risk_factors.filter(({ code }) => !WITHOUT_CHECK.has(code)) : risk.risk_factors
  const ring = (
    <ScoreRing value={risk.risk_score} tone={riskTone(risk)}>
      <strong>{risk.risk_score}</strong>
      <span>{t('risk.of100')}</span>
    </ScoreRing>
  )
  return (
    <Card
      title={t('risk.title')}
      action={<span className="muted">{t('risk.checked', { when: formatRelativeTime(risk.timestamp) })}</span>}
    >
      <div className="gauge">
        {isOpen ? null : ring}
        <div>
          <p>
            {isOpen ? <Badge tone="plain">{statusText('unknown')}</Badge> : null}{' '}
            {isOpen ? null : <Badge tone={riskTone(risk)}>{codeTexts().riskLevel(risk.risk_level)}</Badge>}{' '}
            <code>{identifiersOf(risk)}</code>
          </p>
          {risk.cleared_by.map((clearance) => (
            <p key={`${clearance.source} ${clearance.list}`} className="cleared">
              {[
                t(clearance.entries === null ? 'risk.cleared' : 'risk.clearedEntries', {
                  list: [clearance.list ?? clearance.source, clearance.area].filter(Boolean).join(', '),
                  count: clearance.entries ?? 0,
                }),
                clearance.updated_at === null
                  ? ''
                  : t('risk.updated', { when: formatRelativeTime(clearance.updated_at) }),
              ]
                .filter(Boolean)
                .join(', ')}
            </p>
          ))}
          {isOpen ? <ConnectSourceHint /> : null}
        </div>
      </div>
      <ul className="factors">
        {factors.map((factor) => (
          <li key={`${factor.code} ${factor.source}`}>
            <span>{codeTexts().riskFactor(factor)}</span>
            {isOpen ? null : <span className="number">{factor.points > 0 ? `+${factor.points}` : factor.points}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const HINT_KEY = 'source-hint'

/** Says once a day that nothing is checked against lists of stolen devices, and where owners connect a source. */
function ConnectSourceHint() {
  const { t } = useTranslation('counter')
  const { role } = useSession()
  const [isDue] = useState(() => {
    const today = localDay()
    try {
      if (localStorage.getItem(HINT_KEY) === today) return false
      localStorage.setItem(HINT_KEY, today)
    } catch {}
    return true
  })
  if (!isDue) return null
  return (
    <p className="muted">
      {t('risk.unchecked')} {role === 'owner' ? <Link to="/dashboard/service#sources">{t('risk.connect')}</Link> : null}
    </p>
  )
}

/** The field for the IMEI of a device that was chosen by hand. */
export function IdentifierForm({ look, label }: { look: (identifier: string) => void; label: string }) {
  const { t } = useTranslation('counter')
  const [identifier, setIdentifier] = useState('')
  const isDoubtful = checkTypedImei(identifier).state === 'mistyped'
  return (
    <>
      <Form className="question-row" submit={() => look(identifier)}>
        <label className="search">
          <span className="visually-hidden">{label}</span>
          <input
            required
            autoComplete="off"
            spellCheck={false}
            maxLength={64}
            placeholder={t('risk.placeholder')}
            value={identifier}
            onChange={(event) => setIdentifier(event.target.value)}
          />
        </label>
        <Button type="submit">{t('risk.check')}</Button>
      </Form>
      {isDoubtful ? (
        <p className="field-error" role="status">
          {t('risk.digit')}
        </p>
      ) : null}
    </>
  )
}
