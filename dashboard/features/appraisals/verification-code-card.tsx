import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SHARED_FACTS, type SharedFact } from '../../../src/contract/shared-facts.ts'
import { callApi } from '../../api.ts'
import { formatRelativeTime } from '../../format.ts'
import { browserTimeZone } from '../../local-day.ts'
import { useOperation } from '../../queries.ts'
import { CopyableText } from '../../ui/copy-button.tsx'
import { toggle } from '../../ui/field.tsx'
import { ApiButton } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { QueryView } from '../../ui/states.tsx'
import { isReachable } from './reachable-address.ts'

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
  const shares = useOperation('GET /api/appraisals/{id}/shares', { params: { id: appraisalId } })
  const create = async () => {
    const facts = SHARED_FACTS.filter((fact) => chosen.includes(fact))
    const body = { facts, time_zone: browserTimeZone() }
    const { data } = await callApi('POST /api/appraisals/{id}/shares', { params: { id: appraisalId }, body })
    if (data.url) show(data.url)
  }
  const revoke = (shareId: string) =>
    callApi('DELETE /api/appraisals/{id}/shares/{share_id}', { params: { id: appraisalId, share_id: shareId } })
  return (
    <Card title={t('code.title')} note={t('code.note')}>
      <fieldset className="choices">
        <legend className="visually-hidden">{t('code.legend')}</legend>
        {SHARED_FACTS.map((fact) => (
          <label key={fact} className="inline-choice">
            <input type="checkbox" checked={chosen.includes(fact)} onChange={() => setChosen(toggle(chosen, fact))} />
            {t(`code.fact.${fact}`)}
          </label>
        ))}
      </fieldset>
      <div className="card-actions">
        <ApiButton variant={address ? 'plain' : 'primary'} disabled={chosen.length === 0} send={create}>
          {t(address ? 'code.another' : 'code.create')}
        </ApiButton>
      </div>
      {address ? <CopyableText text={address} label={t('code.link')} testId="verify-address" /> : null}
      {address && !isReachable(address) ? <p className="hint">{t('code.unreachable')}</p> : null}
      <QueryView query={shares} skeletonLines={1}>
        {(all) => (
          <ul className="plain-list">
            {all.map((share) => (
              <li key={share.share_id}>
                <span>
                  {t('code.created', { when: formatRelativeTime(share.created_at), person: share.created_by.name })}
                  <span className="muted block">{share.facts.map((fact) => t(`code.fact.${fact}`)).join(', ')}</span>
                </span>
                {share.revoked_at ? (
                  <span className="muted">{t('code.revoked')}</span>
                ) : (
                  <ApiButton variant="danger" send={() => revoke(share.share_id)}>
                    {t('code.revoke')}
                  </ApiButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}
