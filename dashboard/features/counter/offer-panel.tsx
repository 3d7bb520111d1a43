import type { TFunction } from 'i18next'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { deviceTitle } from '../../../src/appraisal/device-title.ts'
import type { AppraisalPreviewWire, AppraisalWire } from '../../../src/contract/appraisal.ts'
import { defectsOfKind } from '../../../src/contract/device-kinds.ts'
import type { PurchasedDeviceWire } from '../../../src/contract/outcome.ts'
import type { SellerInputWire } from '../../../src/contract/sellers.ts'
import { type ApiResponse, callApi, RequestError } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { type Confirmation, neededConfirmation } from '../../confirmations.ts'
import { formatAmount, formatDay, minorUnitsPerUnit } from '../../format.ts'
import { localDay } from '../../local-day.ts'
import { operationQuery, queryClient, useApiMutation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { sellerOnPaper } from '../appraisals/seller-on-paper.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import { BuyDialog } from './buy-dialog.tsx'
import { type Deal, toAppraisalRequest } from './deal.ts'
import { BUYING_DECISIONS, DECISION_TONES } from './decision-tones.ts'
import { isUngradable } from './defect-groups.ts'
import { clearDraft, useDraftEntries } from './draft.ts'
import { Negotiation } from './negotiation.tsx'
import { negotiationBasis } from './negotiation-outlook.ts'
import { OfferBreakdown } from './offer-breakdown.tsx'
import { EMPTY_SELLER, toSeller } from './seller-fields.tsx'

/** Saves the deal as an appraisal and opens its page. The identifier is looked up again, so the saved check is current. */
function useSaveAppraisal(deal: Deal, preview: AppraisalPreviewWire) {
  const change = useApiMutation()
  const [, navigate] = useLocation()
  const lastPurchase = useRef({ json: '', key: '' })
  function toRequest(reference: string, isDeclined: boolean, agreedOffer: number | null) {
    const { risk } = preview
    return {
      ...toAppraisalRequest(deal),
      ...(risk
        ? {
            identifier: risk.identifier,
            second_identifier: risk.second_identifier,
            identifier_type: risk.identifier_type,
          }
        : {}),
      ...(reference.trim() ? { reference: reference.trim() } : {}),
      ...(isDeclined ? { declined: true } : agreedOffer === null ? {} : { agreed_offer: agreedOffer }),
    }
  }
  function toPurchase(reference: string, price: number, more: Omit<PurchasedDeviceWire, 'price'>) {
    return { ...toRequest(reference, false, price), purchase: { price, date: localDay(), ...more } }
  }
  function open(response: ApiResponse<AppraisalWire>, seller?: SellerInputWire) {
    const { appraisal_id: id, outcome } = response.data
    queryClient.setQueryData(operationQuery('GET /api/appraisals/{id}', { params: { id } }).queryKey, response)
    if (seller) queryClient.setQueryData(sellerOnPaper(id), seller)
    clearDraft()
    navigate(`/dashboard/appraisals/${id}${outcome ? '?print' : ''}`)
  }
  const save = (...entries: Parameters<typeof toRequest>) =>
    change.mutate(async () => open(await callApi('POST /api/appraisals', { body: toRequest(...entries) })))
  /** Saves the appraisal with its purchase. Sent again after a lost connection, it is recorded once. */
  function buy(...entries: Parameters<typeof toPurchase>) {
    const body = toPurchase(...entries)
    const json = JSON.stringify(body)
    if (json !== lastPurchase.current.json) lastPurchase.current = { json, key: randomKey() }
    return callApi('POST /api/appraisals', { body }, undefined, lastPurchase.current.key)
  }
  return { save, buy, toRequest, toPurchase, open, change }
}

/** A random key; `crypto.randomUUID` needs HTTPS, which a tablet in the shop may not have. */
const randomKey = () => `counter-${[...crypto.getRandomValues(new Uint32Array(4))].join('-')}`

/** The offer and its calculation. On a phone the first lines stick to the bottom of the screen. */
export function OfferPanel({
  preview,
  deal,
  isCurrent,
  failure,
}: {
  preview: AppraisalPreviewWire
  deal: Deal
  /** False while the offer is for earlier choices. */
  isCurrent: boolean
  /** Why the offer could not be updated, with a button to try again. */
  failure: ReactNode
}) {
  const { t } = useTranslation('counter')
  const { reference, chosen, change } = useDraftEntries(deal, deviceTitle(preview.identity))
  const { save, buy, toRequest, toPurchase, open, change: saving } = useSaveAppraisal(deal, preview)
  const { isPending, error } = saving
  /** What a manager is asked to approve: the offer, or the purchase. */
  const [approval, setApproval] = useState<{ request: Record<string, unknown>; seller?: SellerInputWire } | null>(null)
  const [purchase, setPurchase] = useState<{ question: Question | null } | null>(null)
  const [seller, setSeller] = useState(EMPTY_SELLER)
  const [isShownToCustomer, showToCustomer] = useState(false)
  const { offer, currency } = preview
  const { sees_margins: seesMargins, offer_limit: offerLimit, organization } = useSession()
  // A device that does not work needs no grade.
  const isGraded =
    deal.grade !== null || isUngradable(defectsOfKind(preview.identity.device_kind ?? null), deal.defects)
  const basis = isGraded && seesMargins ? negotiationBasis(preview) : null
  const maxOffer = isGraded ? offer.max_offer : null
  // A price chosen for one offer does not apply to another.
  const agreed = maxOffer && chosen?.maxOffer === maxOffer ? chosen.price : null
  const tone = DECISION_TONES[offer.decision]
  // A device that is not bought is recorded as such, even if nobody knows what it is.
  const isDeclined = offer.decision === 'reject' || offer.decision === 'identify'
  const price = agreed ?? offer.recommended_offer
  const inStock = preview.identity.known_to_you.find(({ status }) => status === 'in_stock')
  const isAdvised = BUYING_DECISIONS.has(offer.decision)
  const canBuy = (isAdvised || offer.decision === 'inspect') && isGraded && price !== null && price > 0
  const sendPurchase = async (more: Omit<PurchasedDeviceWire, 'price'>) => {
    try {
      return await buy(reference, price ?? 0, more)
    } catch (error) {
      const needsApproval = error instanceof RequestError && error.code === 'FORBIDDEN' && offerLimit !== null
      if (!needsApproval) throw error
      setPurchase(null)
      setApproval({ request: toPurchase(reference, price ?? 0, more), ...(more.seller ? { seller: more.seller } : {}) })
      return null
    }
  }
  /** Buys at once, unless the seller or a confirmation is asked for. */
  function startPurchase() {
    const known = inStock && { confirms: 'confirm_duplicate' as const, text: knownText(t, inStock) }
    if (known || organization.seller_record !== 'off') return setPurchase({ question: known ?? null })
    saving.mutate(async () => {
      try {
        const bought = await sendPurchase({})
        if (bought) open(bought)
      } catch (error) {
        const confirms = neededConfirmation(error)
        if (!confirms) throw error
        setPurchase({ question: { confirms, text: t(`buy.${confirms}`) } })
      }
    })
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    if (!canBuy || !isCurrent || isPending || purchase || approval) return
    event.preventDefault()
    startPurchase()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <aside className="offer" aria-label={t('offer.title')}>
      <div className="offer-bar">
        <div aria-live="polite" aria-busy={!isCurrent}>
          {isCurrent || failure ? null : <p className="offer-updating">{t('offer.updating')}</p>}
          <div className={isCurrent ? undefined : 'is-stale'}>
            <Badge tone={tone}>{codeTexts().decision(offer.decision)}</Badge>
            <OfferAmount preview={preview} isGraded={preview.offer.condition !== null && isGraded} />
          </div>
        </div>
        <div className="offer-actions">
          {canBuy ? (
            <Button
              variant={isAdvised ? 'primary' : 'plain'}
              isBusy={isPending}
              disabled={!isCurrent}
              aria-keyshortcuts="Control+Enter"
              onClick={startPurchase}
            >
              {t('offer.buyAndPrint')}
            </Button>
          ) : null}
          <Button
            variant={canBuy && isAdvised ? 'plain' : 'primary'}
            isBusy={isPending}
            disabled={!isCurrent}
            onClick={() => save(reference, isDeclined, agreed)}
          >
            {isDeclined
              ? t('offer.saveDeclined')
              : agreed === null
                ? t('offer.save')
                : t('offer.saveAt', { amount: formatAmount(agreed, currency) })}
          </Button>
        </div>
      </div>
      {isShownToCustomer ? (
        <CustomerView preview={preview} deal={deal} price={price} close={() => showToCustomer(false)} />
      ) : null}
      <div className="offer-rest">
        {isGraded && seesMargins ? <InspectionReasons preview={preview} /> : null}
        {canBuy ? (
          <Button variant="link" onClick={() => showToCustomer(true)}>
            {t('customer.show')}
          </Button>
        ) : null}
        {failure}
        <ErrorMessage error={error} onRetry={() => save(reference, isDeclined, agreed)} />
        {error?.code === 'FORBIDDEN' && offerLimit !== null ? (
          <Button onClick={() => setApproval({ request: toRequest(reference, isDeclined, agreed) })}>
            {t('approve.open')}
          </Button>
        ) : null}
        {approval ? (
          <ApproveDialog
            request={approval.request}
            close={() => setApproval(null)}
            approved={(appraisal) => open(appraisal, approval.seller)}
          />
        ) : null}
        {purchase ? (
          <BuyDialog
            amount={formatAmount(price, currency)}
            seller={seller}
            changeSeller={setSeller}
            question={purchase.question}
            send={sendPurchase}
            bought={(appraisal) => open(appraisal, toSeller(seller, organization.seller_record))}
            close={() => setPurchase(null)}
          />
        ) : null}
        {basis ? (
          <Negotiation
            basis={basis}
            currency={currency}
            price={agreed ?? basis.recommendedOffer}
            isDisabled={!isCurrent}
            choose={(price) => change({ chosen: price === null ? null : { price, maxOffer: basis.maxOffer } })}
          />
        ) : null}
        {!seesMargins && maxOffer && offer.recommended_offer !== null ? (
          <AgreedPriceField
            key={maxOffer}
            currency={currency}
            recommended={offer.recommended_offer}
            choose={(price) => change({ chosen: price === null ? null : { price, maxOffer } })}
          />
        ) : null}
        {offerLimit === null ? null : (
          <p className="muted">{t('offer.limit', { amount: formatAmount(offerLimit, organization.currency) })}</p>
        )}
        <TextField
          label={t('offer.reference')}
          hint={t('offer.referenceHint')}
          maxLength={100}
          value={reference}
          onValueChange={(value) => change({ reference: value })}
          autoComplete="off"
        />
        {seesMargins ? (
          <details className="offer-why" open={basis === null}>
            <summary>{t('offer.why')}</summary>
            <div className={isCurrent ? undefined : 'is-stale'}>
              <OfferBreakdown appraisal={preview} />
            </div>
          </details>
        ) : (
          <ul className="plain-list">
            {offer.reasons.map((reason) => (
              <li key={reason.code}>{codeTexts().reason(reason, preview)}</li>
            ))}
          </ul>
        )}
        {preview.sample ? <p className="banner">{t('offer.sample')}</p> : null}
        {offer.source === 'sample' ? <ConnectPricesHint /> : null}
      </div>
    </aside>
  )
}

/** Something that must be confirmed before a purchase. */
type Question = { readonly confirms: Confirmation; readonly text: string }

type KnownDeal = AppraisalPreviewWire['identity']['known_to_you'][number]

const knownText = (t: TFunction<'counter'>, { date, by, price, currency }: KnownDeal): string =>
  t('buy.inStock', { date: formatDay(date), by, price: formatAmount(price, currency) })

/** What the customer may see: the device, its condition and the offer; no resale price, margin or risk. */
function CustomerView({
  preview,
  deal,
  price,
  close,
}: {
  preview: AppraisalPreviewWire
  deal: Deal
  price: number | null
  close: () => void
}) {
  const { t } = useTranslation('counter')
  const texts = codeTexts()
  const condition = [
    ...(deal.grade ? [texts.gradeName(deal.grade)] : []),
    ...preview.defects.map((code) => texts.defect(code, preview.identity.device_kind ?? null).name),
  ]
  return (
    <Dialog title={texts.deviceTitle(preview.identity)} onClose={close}>
      <div className="customer-view">
        <p>{condition.join(' · ')}</p>
        <p className="muted">{t('customer.offer')}</p>
        <p className="customer-amount">{formatAmount(price, preview.currency)}</p>
      </div>
    </Dialog>
  )
}

/** The agreed price, for people who do not see what it means for the profit. Empty: the recommended offer. */
function AgreedPriceField({
  currency,
  recommended,
  choose,
}: {
  currency: string
  recommended: number
  choose: (price: number | null) => void
}) {
  const { t } = useTranslation('counter')
  const [text, setText] = useState('')
  const perUnit = minorUnitsPerUnit(currency)
  return (
    <TextField
      label={t('offer.agreedPrice', { currency })}
      inputMode="decimal"
      pattern="\d+([.,]\d+)?"
      placeholder={String(recommended / perUnit)}
      value={text}
      onValueChange={(next) => {
        setText(next)
        const price = Math.round(Number(next.replace(',', '.')) * perUnit)
        choose(next.trim() === '' || Number.isNaN(price) || price < 0 ? null : price)
      }}
      autoComplete="off"
    />
  )
}

/** Reasons for which no offer is made until they are resolved. */
const WITHHOLDING_REASONS: ReadonlySet<string> = new Set(['conflicting_input', 'recheck_identifier'])

function OfferAmount({ preview, isGraded }: { preview: AppraisalPreviewWire; isGraded: boolean }) {
  const { t } = useTranslation('counter')
  const { offer, currency, grades } = preview
  const money = (amount: number | null) => formatAmount(amount, currency)
  if (offer.recommended_offer === null) return <p className="offer-amount">{t('offer.none')}</p>
  if (offer.decision === 'inspect' && offer.max_offer === 0) {
    const open = offer.reasons.findLast(({ code }) => WITHHOLDING_REASONS.has(code))
    return (
      <>
        <p className="offer-amount">{t('offer.notYet')}</p>
        <p className="offer-most">{open ? codeTexts().reason(open, preview) : ''}</p>
      </>
    )
  }
  const offers = grades.map((grade) => grade.recommended_offer ?? 0)
  if (!isGraded && offer.decision !== 'reject') {
    return (
      <>
        <p className="offer-amount">
          {money(Math.min(...offers))} – {money(Math.max(...offers))}
        </p>
        <p className="offer-most">{t('offer.chooseGrade')}</p>
      </>
    )
  }
  return (
    <>
      <p className="offer-amount">{money(offer.recommended_offer)}</p>
      {offer.decision === 'reject' ? <p className="offer-most">{t('offer.none')}</p> : null}
      {offer.decision !== 'reject' && offer.max_offer !== offer.recommended_offer ? (
        <p className="offer-most">{t('offer.maximum', { amount: money(offer.max_offer) })}</p>
      ) : null}
    </>
  )
}

/** Enough to know what to look at; the rest is in the calculation. */
const SHOWN_REASONS = 2

/** Why a device with an offer is to be inspected first. */
function InspectionReasons({ preview }: { preview: AppraisalPreviewWire }) {
  const { decision, max_offer: maxOffer, reasons } = preview.offer
  if (decision !== 'inspect' || maxOffer === 0) return null
  const doubts = reasons.filter(({ code, amount }) => amount === 0 && code !== 'identifier_not_checked')
  return doubts.slice(-SHOWN_REASONS).map((reason) => (
    <p key={reason.code} className="doubt">
      {codeTexts().reason(reason, preview)}
    </p>
  ))
}

/** The way from sample prices to real ones, for those who may go it. */
function ConnectPricesHint() {
  const { t } = useTranslation('counter')
  const { role } = useSession()
  if (role !== 'owner') return null
  return (
    <p className="muted">
      <Trans
        t={t}
        i18nKey="offer.connect"
        components={{
          market: <Link to="/dashboard/imports#marketplaces" />,
          list: <Link to="/dashboard/imports" />,
        }}
      />
    </p>
  )
}
