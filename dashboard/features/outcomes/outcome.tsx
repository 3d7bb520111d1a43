import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { DeclinedBy, OutcomeStatus, OutcomeWire } from '../../../src/contract/outcome.ts'
import { callApi, RequestError } from '../../api.ts'
import { formatAmount, formatDay, minorUnitsPerUnit } from '../../format.ts'
import { localDay } from '../../local-day.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { SegmentedControl, TextField } from '../../ui/field.tsx'
import { Card, Fact } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

const OUTCOME_TONES: Readonly<Record<OutcomeStatus, Tone>> = { bought: 'blue', declined: 'plain', sold: 'good' }

type Appraised = Pick<
  AppraisalWire,
  'appraisal_id' | 'outcome' | 'offer' | 'agreed_offer' | 'currency' | 'value' | 'declined'
>

/** Badge and price of an outcome; an appraisal from before outcomes may only say that it was declined. */
export function OutcomeBadge({ appraisal: { outcome, declined } }: { appraisal: Appraised }) {
  const { t } = useTranslation('outcomes')
  if (!outcome) {
    return declined ? <Badge tone="plain">{t('status.declined')}</Badge> : <span className="muted">{t('open')}</span>
  }
  const deal = outcome.sold ?? outcome.bought
  return (
    <>
      <Badge tone={OUTCOME_TONES[outcome.status]}>{t(`status.${outcome.status}`)}</Badge>{' '}
      {deal ? <span className="muted">{formatAmount(deal.price, deal.currency)}</span> : null}
    </>
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
  const { t } = useTranslation('outcomes')
  const [status, setStatus] = useState<OutcomeStatus | null>(null)
  const { outcome } = appraisal
  return (
    <>
      <div className="actions outcome-buttons">
        {outcome === null || (hasCorrections && outcome.status === 'declined') ? (
          <Button variant="primary" onClick={() => setStatus('bought')}>
            {t('status.bought')}
          </Button>
        ) : null}
        {outcome === null ? <Button onClick={() => setStatus('declined')}>{t('status.declined')}</Button> : null}
        {outcome?.status === 'bought' ? (
          <Button variant="primary" onClick={() => setStatus('sold')}>
            {t('status.sold')}
          </Button>
        ) : null}
        {hasCorrections && outcome?.status === 'bought' ? (
          <Button onClick={() => setStatus('bought')}>{t('correctPurchase')}</Button>
        ) : null}
        {hasCorrections && outcome?.status === 'sold' ? (
          <Button onClick={() => setStatus('sold')}>{t('correctSale')}</Button>
        ) : null}
      </div>
      {status ? <OutcomeDialog appraisal={appraisal} status={status} close={() => setStatus(null)} /> : null}
    </>
  )
}

export function OutcomeCard({ appraisal }: { appraisal: Appraised }) {
  const { t } = useTranslation('outcomes')
  const { outcome } = appraisal
  const change = useApiMutation()
  const params = { id: appraisal.appraisal_id }
  const undo = () =>
    change.mutate(() =>
      // A sale that is taken back leaves the purchase.
      outcome?.status === 'sold' && outcome.bought
        ? callApi('POST /api/appraisals/{id}/outcome', { params, body: { status: 'bought', ...outcome.bought } })
        : callApi('DELETE /api/appraisals/{id}/outcome', { params }),
    )
  return (
    <div className="outcome-card">
      <Card
        title={t('title')}
        action={
          outcome ? <Badge tone={OUTCOME_TONES[outcome.status]}>{t(`status.${outcome.status}`)}</Badge> : undefined
        }
        note={outcome ? undefined : t('note')}
      >
        {outcome ? <OutcomeFacts outcome={outcome} /> : null}
        <div className="outcome-actions">
          <OutcomeButtons appraisal={appraisal} hasCorrections />
          {outcome ? (
            <Button variant="link" isBusy={change.isPending} onClick={undo}>
              {t(outcome.status === 'sold' ? 'undoSale' : 'remove')}
            </Button>
          ) : null}
        </div>
        <ErrorMessage error={change.error} />
      </Card>
    </div>
  )
}

function OutcomeFacts({ outcome }: { outcome: OutcomeWire }) {
  const { t } = useTranslation('outcomes')
  const { bought, sold, declined, note } = outcome
  const isOneCurrency = bought && sold && bought.currency === sold.currency
  return (
    <dl className="outcome-facts">
      {bought ? (
        <Fact name={t('status.bought')}>
          {formatAmount(bought.price, bought.currency)} <Day date={bought.date} />
        </Fact>
      ) : null}
      {sold ? (
        <Fact name={t('status.sold')}>
          {formatAmount(sold.price, sold.currency)} <Day date={sold.date} />
        </Fact>
      ) : null}
      {isOneCurrency ? <Fact name={t('profit')}>{formatAmount(sold.price - bought.price, sold.currency)}</Fact> : null}
      {declined ? (
        <Fact name={t('status.declined')}>
          {declined.by ? t(`by.${declined.by}`) : t('noDeal')} <Day date={declined.date} />
        </Fact>
      ) : null}
      {note ? <Fact name={t('noteField')}>{note}</Fact> : null}
    </dl>
  )
}

const Day = ({ date }: { date: string }) => <span className="muted">{formatDay(date)}</span>

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
  const { t } = useTranslation('outcomes')
  const { outcome } = appraisal
  const currency = outcome?.[status === 'declined' ? 'bought' : status]?.currency ?? appraisal.currency
  const unit = minorUnitsPerUnit(currency)
  const likely = likelyPrice(appraisal, status)
  const [price, setPrice] = useState(likely === null ? '' : String(likely / unit))
  const [by, setBy] = useState<DeclinedBy>('customer')
  const [date, setDate] = useState(outcome?.[status]?.date ?? localDay())
  const [note, setNote] = useState(outcome?.note ?? '')
  const [problem, setProblem] = useState<string>()
  /** A price that the service found unusual; recording it again confirms it. */
  const [unusualPrice, setUnusualPrice] = useState<string | null>(null)
  const send = async () => {
    const minor = parsePrice(price, currency)
    const isInvalid = status !== 'declined' && minor === null
    setProblem(isInvalid ? t('invalidPrice') : undefined)
    if (isInvalid) return false
    const confirmation = price === unusualPrice ? { confirm_amount: true } : {}
    const deal = status === 'declined' ? { declined_by: by } : { price: minor, currency, ...confirmation }
    try {
      await callApi('POST /api/appraisals/{id}/outcome', {
        params: { id: appraisal.appraisal_id },
        body: { status, ...deal, date, note },
      })
    } catch (error) {
      if (!(error instanceof RequestError) || !error.message.includes('confirm_amount')) throw error
      setUnusualPrice(price)
      setProblem(t('unusualPrice'))
      return false
    }
    return true
  }
  return (
    <FormDialog
      title={t(`question.${status}`)}
      action={t(`record.${status}`)}
      send={send}
      onSent={(isSent) => isSent && close()}
      close={close}
    >
      {status === 'declined' ? (
        <SegmentedControl
          label={t('whoDeclined')}
          options={[
            { value: 'customer', text: t('customer') },
            { value: 'shop', text: t('we') },
          ]}
          chosen={by}
          choose={setBy}
        />
      ) : (
        <TextField
          label={t('price', { currency })}
          hint={t(status === 'bought' ? 'offerFilled' : 'resaleFilled')}
          error={problem}
          inputMode="decimal"
          autoComplete="off"
          required
          value={price}
          onValueChange={setPrice}
          onFocus={(event) => event.target.select()}
        />
      )}
      <TextField label={t('day')} type="date" required value={date} max={localDay()} onValueChange={setDate} />
      <TextField label={t('noteField')} maxLength={300} autoComplete="off" value={note} onValueChange={setNote} />
    </FormDialog>
  )
}
