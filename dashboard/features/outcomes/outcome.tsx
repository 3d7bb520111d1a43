import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { DeclinedBy, OutcomeStatus, OutcomeWire } from '../../../src/contract/outcome.ts'
import { readAmountText, toAmountText } from '../../amount-text.ts'
import { callApi } from '../../api.ts'
import { type Confirmation, neededConfirmation } from '../../confirmations.ts'
import { formatAmount, formatDay } from '../../format.ts'
import { localDay } from '../../local-day.ts'
import { queryClient, useApiMutation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { SegmentedControl, TextField } from '../../ui/field.tsx'
import { Card, Fact } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { sellerOnPaper } from '../appraisals/seller-on-paper.ts'
import { BUYING_DECISIONS } from '../counter/decision-tones.ts'
import { EMPTY_SELLER, SellerFields, toSeller } from '../counter/seller-fields.tsx'

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
  const { outcome, offer } = appraisal
  // Buying a device that must be inspected or should not be bought is possible, not suggested.
  const isAdvised = BUYING_DECISIONS.has(offer.decision)
  return (
    <>
      <div className="actions outcome-buttons">
        {outcome === null || (hasCorrections && outcome.status === 'declined') ? (
          <Button variant={isAdvised ? 'primary' : 'plain'} onClick={() => setStatus('bought')}>
            {t('status.bought')}
          </Button>
        ) : null}
        {outcome === null ? <Button onClick={() => setStatus('declined')}>{t('status.declined')}</Button> : null}
        {outcome?.status === 'bought' ? (
          <Button variant={hasCorrections ? 'primary' : 'plain'} onClick={() => setStatus('sold')}>
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
      {status ? <OutcomeDialogOf appraisal={appraisal} status={status} close={() => setStatus(null)} /> : null}
    </>
  )
}

/** What takes back an outcome is called. */
const UNDO_TEXTS = { bought: 'undoPurchase', sold: 'undoSale', declined: 'remove' } as const

export function OutcomeCard({ appraisal }: { appraisal: Appraised }) {
  const { t } = useTranslation('outcomes')
  /** A purchase is undone after a question, because its seller is deleted with it. */
  const [isUndoing, setUndoing] = useState(false)
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
            <Button
              variant="link"
              isBusy={change.isPending}
              onClick={outcome.status === 'bought' ? () => setUndoing(true) : undo}
            >
              {t(UNDO_TEXTS[outcome.status])}
            </Button>
          ) : null}
        </div>
        <ErrorMessage error={change.error} />
      </Card>
      {isUndoing ? (
        <FormDialog
          title={t('undoPurchaseTitle')}
          action={t('undoPurchase')}
          isDangerous
          send={() => callApi('DELETE /api/appraisals/{id}/outcome', { params })}
          close={() => setUndoing(false)}
        >
          <p>{t('undoPurchaseText')}</p>
        </FormDialog>
      ) : null}
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
          {formatAmount(sold.price, sold.currency)} <Day date={sold.date} />{' '}
          {sold.channel ? <span className="muted">{sold.channel}</span> : null}
        </Fact>
      ) : null}
      <Fact name={t('recordedBy')}>{outcome.created_by.name}</Fact>
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

/** The price that is most likely: what was recorded, else the offer or the expected resale price. */
function likelyPrice({ outcome, offer, agreed_offer: agreed, value }: Appraised, status: OutcomeStatus): number | null {
  if (status === 'bought') return outcome?.bought?.price ?? agreed ?? offer.recommended_offer
  const resale = value.find(({ condition }) => condition === offer.condition)?.resale?.amount
  return outcome?.sold?.price ?? resale ?? null
}

/** The dialog for an appraisal: prices and days that are recorded already, or those that are likely, are filled in. */
function OutcomeDialogOf({
  appraisal,
  status,
  close,
}: {
  appraisal: Appraised
  status: OutcomeStatus
  close: () => void
}) {
  const { outcome } = appraisal
  return (
    <OutcomeDialog
      appraisalId={appraisal.appraisal_id}
      status={status}
      currency={outcome?.[status === 'declined' ? 'bought' : status]?.currency ?? appraisal.currency}
      likely={likelyPrice(appraisal, status)}
      recorded={{ date: outcome?.[status]?.date, note: outcome?.note, channel: outcome?.sold?.channel }}
      close={close}
    />
  )
}

/** Asks for the price, the day and, of a sale, the channel. */
export function OutcomeDialog({
  appraisalId,
  status,
  currency,
  likely,
  recorded = {},
  close,
}: {
  appraisalId: string
  status: OutcomeStatus
  currency: string
  /** Price that is filled in, in minor units. */
  likely: number | null
  recorded?: {
    readonly date?: string | undefined
    readonly note?: string | null | undefined
    readonly channel?: string | null | undefined
  }
  close: () => void
}) {
  const { t } = useTranslation('outcomes')
  const { seller_record: mode } = useSession().organization
  // A purchase that is corrected keeps its seller.
  const sellerMode = status === 'bought' && recorded.date === undefined ? mode : 'off'
  const [seller, setSeller] = useState(EMPTY_SELLER)
  const [price, setPrice] = useState(likely === null ? '' : toAmountText(likely, currency))
  const [by, setBy] = useState<DeclinedBy>('customer')
  const [date, setDate] = useState(recorded.date ?? localDay())
  const [note, setNote] = useState(recorded.note ?? '')
  const [channel, setChannel] = useState(recorded.channel ?? '')
  const [problem, setProblem] = useState<string>()
  /** Questions of the service about this price; recording it again confirms them. */
  const [asked, setAsked] = useState<readonly Confirmation[]>([])
  const send = async () => {
    const minor = readAmountText(price, currency)
    const isInvalid = status !== 'declined' && minor === null
    setProblem(isInvalid ? t('invalidPrice') : undefined)
    if (isInvalid) return false
    const confirmations = Object.fromEntries(asked.map((confirms) => [confirms, true]))
    const sale = status === 'sold' && channel.trim() ? { channel: channel.trim() } : {}
    const soldBy = toSeller(seller, sellerMode)
    const deal =
      status === 'declined'
        ? { declined_by: by }
        : { price: minor, currency, ...sale, ...confirmations, ...(soldBy ? { seller: soldBy } : {}) }
    try {
      await callApi('POST /api/appraisals/{id}/outcome', {
        params: { id: appraisalId },
        body: { status, ...deal, date, note },
      })
    } catch (error) {
      const confirms = neededConfirmation(error)
      if (!confirms || asked.includes(confirms)) throw error
      setAsked([...asked, confirms])
      return false
    }
    if (soldBy) queryClient.setQueryData(sellerOnPaper(appraisalId), soldBy)
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
          error={problem ?? (asked.includes('confirm_amount') ? t('unusualPrice') : undefined)}
          inputMode="decimal"
          autoComplete="off"
          required
          value={price}
          onValueChange={(text) => {
            setPrice(text)
            setAsked(asked.filter((confirms) => confirms !== 'confirm_amount'))
          }}
          onFocus={(event) => event.target.select()}
        />
      )}
      {asked.includes('confirm_duplicate') ? (
        <p className="doubt" role="alert">
          {t('duplicate')}
        </p>
      ) : null}
      {status === 'sold' ? (
        <TextField
          label={t('channel')}
          placeholder={t('channelExample')}
          maxLength={40}
          value={channel}
          onValueChange={setChannel}
        />
      ) : null}
      {sellerMode === 'off' ? null : (
        <SellerFields mode={sellerMode} entries={seller} change={setSeller} errorAt={() => undefined} />
      )}
      <TextField label={t('day')} type="date" required value={date} max={localDay()} onValueChange={setDate} />
      <TextField label={t('noteField')} maxLength={300} autoComplete="off" value={note} onValueChange={setNote} />
    </FormDialog>
  )
}
