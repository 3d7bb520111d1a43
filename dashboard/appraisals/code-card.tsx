import { useState } from 'react'
import type { NewShareWire, ShareWire } from '../../src/contract/account.ts'
import { SHARED_FACTS, type SharedFact } from '../../src/contract/sharing.ts'
import { useAnswer, useChange } from '../answers.ts'
import { Button, Card, CopyButton, Problem, Shown } from '../parts/basics.tsx'
import { post } from '../service.ts'
import { ago } from '../words.ts'

const WORDS: Readonly<Record<SharedFact, string>> = {
  device: 'The device',
  identifier: 'The masked identifier',
  grade: 'Grade and defects',
  check: 'What it was checked against',
  offer: 'The offer',
  reference: 'Your reference',
}
const AT_FIRST: readonly SharedFact[] = ['device', 'identifier', 'grade', 'check']

/** Lets whoever holds the sheet see that it is genuine. The code is shown once; a new print gets a new one. */
export function CodeCard({
  appraisalId,
  address,
  show,
}: {
  appraisalId: string
  address: string | null
  show: (address: string) => void
}) {
  const [chosen, setChosen] = useState<readonly SharedFact[]>(AT_FIRST)
  const shares = useAnswer<ShareWire[]>(`/account/appraisals/shares?appraisal_id=${encodeURIComponent(appraisalId)}`)
  const change = useChange()
  const make = () =>
    change.mutate(async () => {
      const body = { appraisal_id: appraisalId, shown: SHARED_FACTS.filter((fact) => chosen.includes(fact)) }
      show((await post<NewShareWire>('/account/appraisals/share', body)).data.address)
    })
  const withdraw = (id: string) => change.mutate(async () => void (await post('/account/appraisals/withdraw', { id })))
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
            {WORDS[fact]}
          </label>
        ))}
      </fieldset>
      <p className="card-actions">
        <Button look={address ? 'plain' : 'main'} busy={change.isPending} disabled={chosen.length === 0} onClick={make}>
          {address ? 'Make another code' : 'Make a code'}
        </Button>
      </p>
      {change.error ? <Problem error={change.error} /> : null}
      {address ? (
        <p className="secret">
          <code data-testid="verify-address">{address}</code>
          <CopyButton text={address} what="address" />
        </p>
      ) : null}
      <Shown asked={shares} lines={1}>
        {(made) => (
          <ul className="plain-list">
            {made.map((share) => (
              <li key={share.id}>
                <span>
                  Made {ago(share.created_at)} by {share.created_by}
                  <span className="soft block">{share.shown.map((fact) => WORDS[fact].toLowerCase()).join(', ')}</span>
                </span>
                {share.withdrawn_at ? (
                  <span className="soft">withdrawn</span>
                ) : (
                  <Button look="danger" busy={change.isPending} onClick={() => withdraw(share.id)}>
                    Withdraw
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Card>
  )
}
