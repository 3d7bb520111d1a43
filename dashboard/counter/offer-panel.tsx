import { useState } from 'react'
import { useLocation } from 'wouter'
import type { AppraisalPreviewWire, AppraisalWire } from '../../src/contract/appraisal.ts'
import { answerAt, queryClient, useChange } from '../answers.ts'
import { Badge, Button, Problem, TextField } from '../parts/basics.tsx'
import { post } from '../service.ts'
import { amountIn } from '../words.ts'
import { type Deal, requestOf } from './deal.ts'
import { DECISION_WORDS } from './decisions.ts'
import { Reasons } from './reasons.tsx'

/** Keeps the deal as an appraisal and goes to its page. The identifier is looked up anew: what is kept was checked then. */
function useSaving(deal: Deal, preview: AppraisalPreviewWire) {
  const change = useChange()
  const [, navigate] = useLocation()
  const save = (reference: string) =>
    change.mutate(async () => {
      const { risk } = preview
      const known = risk ? { identifier: risk.identifier, identifier_type: risk.identifier_type } : {}
      const said = reference.trim() ? { reference: reference.trim() } : {}
      const body = { ...requestOf(deal), ...known, ...said }
      const answer = await post<AppraisalWire>('/account/explore/appraisals', body)
      const { appraisal_id: id } = answer.data
      queryClient.setQueryData(answerAt(`/account/explore/appraisals/${id}`).queryKey, answer)
      navigate(`/dashboard/appraisals/${id}`)
    })
  return { save, isPending: change.isPending, error: change.error }
}

/** The offer, large, and how it came about. On a phone its first lines stay at the bottom of the screen, under the thumb. */
export function OfferPanel({ preview, deal }: { preview: AppraisalPreviewWire; deal: Deal }) {
  const [reference, setReference] = useState('')
  const { save, isPending, error } = useSaving(deal, preview)
  const { offer, currency } = preview
  const decision = DECISION_WORDS[offer.decision]
  const isKnown = preview.identity.device_id !== null
  return (
    <aside className="offer" aria-label="The offer">
      <div className="offer-bar">
        <div aria-live="polite">
          <Badge tone={decision.tone}>{decision.word}</Badge>
          <OfferAmount preview={preview} isGraded={deal.grade !== null} />
        </div>
        <Button look="main" busy={isPending} disabled={!isKnown} onClick={() => save(reference)}>
          Save
        </Button>
      </div>
      <div className="offer-rest">
        {error ? <Problem error={error} /> : null}
        <TextField
          label="Your reference"
          hint="Stock number, order or name. It stands on the sheet."
          maxLength={100}
          value={reference}
          change={setReference}
          autoComplete="off"
        />
        <details className="offer-why" open>
          <summary>How it came about</summary>
          <Reasons reasons={offer.reasons} currency={currency} />
        </details>
        {preview.sample ? <p className="banner">Sample data: not an offer to make to anybody.</p> : null}
      </div>
    </aside>
  )
}

function OfferAmount({ preview, isGraded }: { preview: AppraisalPreviewWire; isGraded: boolean }) {
  const { offer, currency, grades } = preview
  const money = (amount: number | null) => amountIn(amount, currency)
  if (offer.recommended_offer === null) return <p className="offer-amount">no offer</p>
  const offers = grades.map((grade) => grade.recommended_offer ?? 0)
  if (!isGraded && offer.decision !== 'reject') {
    return (
      <>
        <p className="offer-amount">
          {money(Math.min(...offers))} – {money(Math.max(...offers))}
        </p>
        <p className="offer-most">Pick a grade for the offer.</p>
      </>
    )
  }
  return (
    <>
      <p className="offer-amount">{money(offer.recommended_offer)}</p>
      <p className="offer-most">
        {offer.decision === 'reject' ? 'There is no offer on it.' : `at most ${money(offer.max_offer)}`}
      </p>
    </>
  )
}
