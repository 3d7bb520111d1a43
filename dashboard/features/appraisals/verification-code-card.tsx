import { useState } from 'react'
import type { NewShareWire, ShareWire } from '../../../src/contract/dashboard.ts'
import { SHARED_FACTS, type SharedFact } from '../../../src/contract/shared-facts.ts'
import { apiPost } from '../../api.ts'
import { formatRelativeTime } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

const SHARED_FACT_LABELS: Readonly<Record<SharedFact, string>> = {
  device: 'Device',
  identifier: 'Masked identifier',
  grade: 'Grade and defects',
  check: 'Risk check',
  offer: 'Offer',
  reference: 'Your reference',
}
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
  const [chosen, setChosen] = useState<readonly SharedFact[]>(DEFAULT_FACTS)
  const shares = useApiQuery<ShareWire[]>(`/account/appraisals/shares?appraisal_id=${encodeURIComponent(appraisalId)}`)
  const change = useApiMutation()
  const make = () =>
    change.mutate(async () => {
      const body = { appraisal_id: appraisalId, shown: SHARED_FACTS.filter((fact) => chosen.includes(fact)) }
      show((await apiPost<NewShareWire>('/account/appraisals/share', body)).data.address)
    })
  const withdraw = (id: string) =>
    change.mutate(async () => void (await apiPost('/account/appraisals/withdraw', { id })))
  return (
    <Card
      title="Verification code"
      note="Links to a public page that shows only the details you select. You can revoke it at any time."
    >
      <fieldset className="choices">
        <legend className="visually-hidden">Details to show</legend>
        {SHARED_FACTS.map((fact) => (
          <label key={fact} className="inline-choice">
            <input
              type="checkbox"
              checked={chosen.includes(fact)}
              onChange={() =>
                setChosen(chosen.includes(fact) ? chosen.filter((one) => one !== fact) : [...chosen, fact])
              }
            />
            {SHARED_FACT_LABELS[fact]}
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
          {address ? 'Create another code' : 'Create code'}
        </Button>
      </p>
      {change.error ? <ErrorMessage error={change.error} /> : null}
      {address ? (
        <p className="secret">
          <code data-testid="verify-address">{address}</code>
          <CopyButton text={address} label="link" />
        </p>
      ) : null}
      <QueryView query={shares} skeletonLines={1}>
        {(made) => (
          <ul className="plain-list">
            {made.map((share) => (
              <li key={share.id}>
                <span>
                  Created {formatRelativeTime(share.created_at)} by {share.created_by}
                  <span className="muted block">
                    {share.shown.map((fact) => SHARED_FACT_LABELS[fact].toLowerCase()).join(', ')}
                  </span>
                </span>
                {share.withdrawn_at ? (
                  <span className="muted">Revoked</span>
                ) : (
                  <Button variant="danger" isBusy={change.isPending} onClick={() => withdraw(share.id)}>
                    Revoke
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
