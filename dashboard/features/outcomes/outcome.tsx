import { type FormEvent, useState } from 'react'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import {
  type DeclinedBy,
  OUTCOME_STATUSES,
  type OutcomeStatus,
  type OutcomeWire,
} from '../../../src/contract/outcome.ts'
import { dayOf } from '../../../src/lib/time.ts'
import { apiPost } from '../../api.ts'
import { formatAmount, formatDay, minorUnitsPerUnit } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

/** Title of the column and the filter. */
export const OUTCOME_TITLE = 'Outcome'

const OUTCOME_LABELS: Readonly<Record<OutcomeStatus, { word: string; tone: Tone }>> = {
  bought: { word: 'Bought', tone: 'blue' },
  declined: { word: 'Declined', tone: 'plain' },
  sold: { word: 'Sold', tone: 'good' },
}

type Appraised = Pick<
  AppraisalWire,
  'appraisal_id' | 'outcome' | 'offer' | 'agreed_offer' | 'currency' | 'value' | 'declined'
>

/** Badge and price of an outcome; an appraisal from before outcomes may only say that it was declined. */
export function OutcomeBadge({ appraisal: { outcome, declined } }: { appraisal: Appraised }) {
  if (!outcome) return declined ? <Badge tone="plain">Declined</Badge> : <span className="muted">Open</span>
  const { word, tone } = OUTCOME_LABELS[outcome.status]
  const deal = outcome.sold ?? outcome.bought
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {deal ? <span className="muted">{formatAmount(deal.price, deal.currency)}</span> : null}
    </>
  )
}

export function OutcomeFilter({ chosen, choose }: { chosen: string; choose: (outcome: string) => void }) {
  return (
    <label>
      <span className="visually-hidden">{OUTCOME_TITLE}</span>
      <select value={chosen} onChange={(event) => choose(event.target.value)}>
        <option value="">Outcome: all</option>
        <option value="open">Open</option>
        {OUTCOME_STATUSES.map((status) => (
          <option key={status} value={status}>
            {OUTCOME_LABELS[status].word}
          </option>
        ))}
      </select>
    </label>
  )
}

/** What can be recorded next: first whether it was bought, then what it sold for. */
export function OutcomeButtons({
  appraisal,
  hasCorrections = false,
}: {
  appraisal: Appraised
  /** With buttons to correct what is recorded. */
  hasCorrections?: boolean
}) {
  const [status, setStatus] = useState<OutcomeStatus | null>(null)
  const { outcome } = appraisal
  return (
    <>
      <div className="outcome-buttons">
        {outcome === null || (hasCorrections && outcome.status === 'declined') ? (
          <Button variant="primary" onClick={() => setStatus('bought')}>
            Bought
          </Button>
        ) : null}
        {outcome === null ? <Button onClick={() => setStatus('declined')}>Declined</Button> : null}
        {outcome?.status === 'bought' ? (
          <Button variant="primary" onClick={() => setStatus('sold')}>
            Sold
          </Button>
        ) : null}
        {hasCorrections && outcome?.status === 'bought' ? (
          <Button onClick={() => setStatus('bought')}>Correct the purchase</Button>
        ) : null}
        {hasCorrections && outcome?.status === 'sold' ? (
          <Button onClick={() => setStatus('sold')}>Correct the sale</Button>
        ) : null}
      </div>
      {status ? <OutcomeDialog appraisal={appraisal} status={status} close={() => setStatus(null)} /> : null}
    </>
  )
}

export function OutcomeCard({ appraisal }: { appraisal: Appraised }) {
  const { outcome } = appraisal
  const change = useApiMutation()
  const send = (next: object | null) =>
    change.mutate(async () => {
      await apiPost('/account/appraisals/outcome', { appraisal_id: appraisal.appraisal_id, outcome: next })
    })
  const undo = () =>
    // A sale that is taken back leaves the purchase.
    send(outcome?.status === 'sold' && outcome.bought ? { status: 'bought', ...outcome.bought } : null)
  return (
    <div className="outcome-card">
      <Card
        title="Outcome"
        action={
          outcome ? (
            <Badge tone={OUTCOME_LABELS[outcome.status].tone}>{OUTCOME_LABELS[outcome.status].word}</Badge>
          ) : undefined
        }
        note={
          outcome
            ? undefined
            : 'Record what happens with this device. Prices of your deals make your own prices and forecasts better.'
        }
      >
        {outcome ? <OutcomeFacts outcome={outcome} /> : null}
        <div className="outcome-actions">
          <OutcomeButtons appraisal={appraisal} hasCorrections />
          {outcome ? (
            <Button variant="link" isBusy={change.isPending} onClick={undo}>
              {outcome.status === 'sold' ? 'Undo the sale' : 'Remove this outcome'}
            </Button>
          ) : null}
        </div>
        {change.error ? <ErrorMessage error={change.error} /> : null}
      </Card>
    </div>
  )
}

function OutcomeFacts({ outcome }: { outcome: OutcomeWire }) {
  const { bought, sold, declined, note } = outcome
  const isOneCurrency = bought && sold && bought.currency === sold.currency
  return (
    <dl className="outcome-facts">
      {bought ? <Fact name="Bought" value={formatAmount(bought.price, bought.currency)} day={bought.date} /> : null}
      {sold ? <Fact name="Sold" value={formatAmount(sold.price, sold.currency)} day={sold.date} /> : null}
      {isOneCurrency ? (
        <Fact name="Profit before costs" value={formatAmount(sold.price - bought.price, sold.currency)} />
      ) : null}
      {declined ? (
        <Fact name="Declined" value={declined.by ? DECLINED_BY_WORDS[declined.by] : 'No deal'} day={declined.date} />
      ) : null}
      {note ? <Fact name="Note" value={note} /> : null}
    </dl>
  )
}

const DECLINED_BY_WORDS: Readonly<Record<DeclinedBy, string>> = { shop: 'By us', customer: 'By the customer' }

function Fact({ name, value, day }: { name: string; value: string; day?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {day ? <span className="muted"> {formatDay(day)}</span> : null}
      </dd>
    </div>
  )
}

const DIALOG_TITLES: Readonly<Record<OutcomeStatus, string>> = {
  bought: 'What did you pay?',
  declined: 'Who declined?',
  sold: 'What did it sell for?',
}

/** Price in units as typed, such as "120.50" or "120,50"; null if it is no amount. */
function parsePrice(text: string, currency: string): number | null {
  const plain = text.trim().replace(',', '.')
  const unit = minorUnitsPerUnit(currency)
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(plain)) return null
  const minor = Number(plain) * unit
  return Math.abs(minor - Math.round(minor)) < 1e-6 ? Math.round(minor) : null
}

/** The price that is most likely: what was recorded, else the offer or the expected resale price. */
function likelyPrice({ outcome, offer, agreed_offer: agreed, value }: Appraised, status: OutcomeStatus): number | null {
  if (status === 'bought') return outcome?.bought?.price ?? agreed ?? offer.recommended_offer
  const resale = value.find(({ condition }) => condition === offer.condition)?.resale?.amount
  return outcome?.sold?.price ?? resale ?? null
}

function OutcomeDialog({
  appraisal,
  status,
  close,
}: {
  appraisal: Appraised
  status: OutcomeStatus
  close: () => void
}) {
  const { outcome } = appraisal
  const currency = outcome?.[status === 'declined' ? 'bought' : status]?.currency ?? appraisal.currency
  const unit = minorUnitsPerUnit(currency)
  const likely = likelyPrice(appraisal, status)
  const [price, setPrice] = useState(likely === null ? '' : String(likely / unit))
  const [by, setBy] = useState<DeclinedBy>('customer')
  const [date, setDate] = useState(outcome?.[status]?.date ?? dayOf(Date.now()))
  const [note, setNote] = useState(outcome?.note ?? '')
  const [problem, setProblem] = useState<string>()
  const change = useApiMutation()
  function submit(event: FormEvent) {
    event.preventDefault()
    const minor = parsePrice(price, currency)
    if (status !== 'declined' && minor === null) {
      setProblem('Enter an amount such as 120.50.')
      return
    }
    setProblem(undefined)
    const deal = status === 'declined' ? { declined_by: by } : { price: minor, currency }
    change.mutate(async () => {
      await apiPost('/account/appraisals/outcome', {
        appraisal_id: appraisal.appraisal_id,
        outcome: { status, ...deal, date, note },
      })
      close()
    })
  }
  return (
    <Dialog title={DIALOG_TITLES[status]} onClose={close}>
      <form onSubmit={submit}>
        {status === 'declined' ? (
          <SegmentedControl
            label="Who declined"
            options={[
              { value: 'customer', text: 'The customer' },
              { value: 'shop', text: 'We' },
            ]}
            chosen={by}
            choose={setBy}
          />
        ) : (
          <TextField
            label={`Price (${currency})`}
            hint={status === 'bought' ? 'The offer is filled in.' : 'The expected resale price is filled in.'}
            error={problem}
            inputMode="decimal"
            autoComplete="off"
            required
            value={price}
            onValueChange={setPrice}
            onFocus={(event) => event.target.select()}
          />
        )}
        <TextField label="Day" type="date" required value={date} max={dayOf(Date.now())} onValueChange={setDate} />
        <TextField label="Note" maxLength={300} autoComplete="off" value={note} onValueChange={setNote} />
        {change.error ? <ErrorMessage error={change.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" isBusy={change.isPending}>
            {`Record as ${OUTCOME_LABELS[status].word.toLowerCase()}`}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
