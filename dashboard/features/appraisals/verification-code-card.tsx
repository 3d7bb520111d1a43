import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SHARED_FACTS, type SharedFact } from '../../../src/contract/shared-facts.ts'
import { apiPost } from '../../api.ts'
import { formatRelativeTime } from '../../format.ts'
import { browserTimeZone } from '../../local-day.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

const DEFAULT_FACTS: readonly SharedFact[] = ['device', 'identifier', 'grade', 'check']

/** Creates the QR code that proves a receipt genuine. A code is shown once; a new print needs a new code. */
export function VerificationCodeCard({
  appraisalId,
  address,
  show,
}: {
  appraisalId: string
  address: string | null
  show: (address: string) => void
}) {
  const { t } = useTranslation('appraisals')
  const [chosen, setChosen] = useState<readonly SharedFact[]>(DEFAULT_FACTS)
  const shares = useApiQuery(`/account/appraisals/shares?appraisal_id=${encodeURIComponent(appraisalId)}`)
  const change = useApiMutation()
  const make = () =>
    change.mutate(async () => {
      const shown = SHARED_FACTS.filter((fact) => chosen.includes(fact))
      const body = { appraisal_id: appraisalId, shown, time_zone: browserTimeZone() }
      show((await apiPost('/account/appraisals/share', body)).data.address)
    })
  const withdraw = (id: string) => change.mutate(() => apiPost('/account/appraisals/withdraw', { id }))
  return (
    <Card title={t('code.title')} note={t('code.note')}>
      <fieldset className="choices">
        <legend className="visually-hidden">{t('code.legend')}</legend>
        {SHARED_FACTS.map((fact) => (
          <label key={fact} className="inline-choice">
            <input
              type="checkbox"
              checked={chosen.includes(fact)}
              onChange={() =>
                setChosen(chosen.includes(fact) ? chosen.filter((other) => other !== fact) : [...chosen, fact])
              }
            />
            {t(`code.fact.${fact}`)}
          </label>
        ))}
      </fieldset>
      <p className="card-actions">
        <Button
          variant={address ? 'plain' : 'primary'}
          isBusy={change.isPending}
          disabled={chosen.length === 0}
          onClick={make}
        >
          {t(address ? 'code.another' : 'code.create')}
        </Button>
      </p>
      {change.error ? <ErrorMessage error={change.error} /> : null}
      {address ? (
        <p className="secret">
          <code data-testid="verify-address">{address}</code>
          <CopyButton text={address} label={t('code.link')} />
        </p>
      ) : null}
      <QueryView query={shares} skeletonLines={1}>
        {(made) => (
          <ul className="plain-list">
            {made.map((share) => (
              <li key={share.id}>
                <span>
                  {t('code.created', { when: formatRelativeTime(share.created_at), person: share.created_by })}
                  <span className="muted block">{share.shown.map((fact) => t(`code.fact.${fact}`)).join(', ')}</span>
                </span>
                {share.withdrawn_at ? (
                  <span className="muted">{t('code.revoked')}</span>
                ) : (
                  <Button variant="danger" isBusy={change.isPending} onClick={() => withdraw(share.id)}>
                    {t('code.revoke')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}
