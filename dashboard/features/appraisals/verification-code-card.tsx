import { useState } from 'react'
import type { NewShareWire, ShareWire } from '../../../src/contract/dashboard.ts'
import { SHARED_FACTS, type SharedFact } from '../../../src/contract/shared-facts.ts'
import { apiPost } from '../../api.ts'
import { formatRelativeTime } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { Button, Card, CopyButton, ErrorMessage, QueryView } from '../../ui/basics.tsx'

const SHARED_FACT_LABELS: Readonly<Record<SharedFact, string>> = {
  device: 'The device',
  identifier: 'The masked identifier',
  grade: 'Grade and defects',
  check: 'What it was checked against',
  offer: 'The offer',
  reference: 'Your reference',
}
const DEFAULT_FACTS: readonly SharedFact[] = ['device', 'identifier', 'grade', 'check']

/** Lets whoever holds the sheet see that it is genuine. The code is shown once; a new print gets a new one. */
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
      title="Code on the sheet"
      note="It leads to a public page that shows what you choose here, and nothing else. It can be withdrawn."
    >
      <fieldset className="choices">
        <legend className="unseen">What it shows</legend>
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
          variant={address ? 'plain' : 'main'}
          isBusy={change.isPending}
          disabled={chosen.length === 0}
          onClick={make}
        >
          {address ? 'Make another code' : 'Make a code'}
        </Button>
      </p>
      {change.error ? <ErrorMessage error={change.error} /> : null}
      {address ? (
        <p className="secret">
          <code data-testid="verify-address">{address}</code>
          <CopyButton text={address} what="address" />
        </p>
      ) : null}
      <QueryView asked={shares} lines={1}>
        {(made) => (
          <ul className="plain-list">
            {made.map((share) => (
              <li key={share.id}>
                <span>
                  Made {formatRelativeTime(share.created_at)} by {share.created_by}
                  <span className="soft block">
                    {share.shown.map((fact) => SHARED_FACT_LABELS[fact].toLowerCase()).join(', ')}
                  </span>
                </span>
                {share.withdrawn_at ? (
                  <span className="soft">withdrawn</span>
                ) : (
                  <Button variant="danger" isBusy={change.isPending} onClick={() => withdraw(share.id)}>
                    Withdraw
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
