import type { TFunction } from 'i18next'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { deviceTitle } from '../../../src/appraisal/device-title.ts'
import type { AppraisalPreviewWire, AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { ApprovalWire } from '../../../src/contract/approval.ts'
import { defectsOfKind } from '../../../src/contract/device-kinds.ts'
import type { SellerInputWire } from '../../../src/contract/sellers.ts'
import type { SharedFact } from '../../../src/contract/shared-facts.ts'
import { AMOUNT_PATTERN, readAmountText, toAmountText } from '../../amount-text.ts'
import { type ApiResponse, callApi } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatDay } from '../../format.ts'
import { browserTimeZone, localDay } from '../../local-day.ts'
import { operationQuery, queryClient, useApiMutation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { isReachable } from '../appraisals/reachable-address.ts'
import { sellerOnPaper } from '../appraisals/seller-on-paper.ts'
import { isCustomerScreenOpen, openCustomerScreen, showCustomer } from '../customer-screen/customer-channel.ts'
import { Offer } from '../customer-screen/customer-page.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { needsApproval, useBuying, useKeyOf } from './buying.tsx'
import { type Deal, toAppraisalRequest } from './deal.ts'
import { BUYING_DECISIONS, DECISION_TONES } from './decision-tones.ts'
import { isUngradable } from './defect-groups.ts'
import { clearDraft, useDraftEntries } from './draft.ts'
import { Negotiation } from './negotiation.tsx'
import { negotiationBasis } from './negotiation-outlook.ts'
import { OfferBreakdown } from './offer-breakdown.tsx'
import { useCart } from './purchase-cart.ts'
import type { PurchaseTerms } from './purchase-terms.ts'
import { describeDifference } from './quote-card.tsx'

/** Saves the deal as an appraisal, alone, with its purchase, or as a device of a purchase of several. */
function useSaveAppraisal(deal: Deal, preview: AppraisalPreviewWire) {
  const change = useApiMutation()
  const cart = useCart()
  const [, navigate] = useLocation()
  const keyOf = useKeyOf()
  /** The identifier is looked up again, so the saved check is current. */
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
  function send(body: object, approval?: ApprovalWire) {
    return callApi('POST /api/appraisals', { body: { ...body, ...(approval && { approval }) } }, undefined, keyOf(body))
  }
  function open({ data, ...response }: ApiResponse<AppraisalWire>, seller?: SellerInputWire) {
    const { appraisal_id: id, outcome } = data
    const { queryKey } = operationQuery('GET /api/appraisals/{id}', { params: { id } })
    queryClient.setQueryData(queryKey, { ...response, data })
    if (seller) queryClient.setQueryData(sellerOnPaper(id), seller)
    // The purchase is recorded; without the code the screen only thanks.
    if (outcome) void thankCustomer(id).catch(() => {})
    clearDraft()
    navigate(`/dashboard/appraisals/${id}${outcome ? '?print' : ''}`)
  }
  /** One device alone, or the last one of several. */
  async function buy(reference: string, price: number, { approval, ...terms }: PurchaseTerms) {
    const request = toRequest(reference, false, price)
    const date = localDay()
    if (cart.lines.length === 0)
      return { appraisal: await send({ ...request, purchase: { price, date, ...terms } }, approval) }
    const saved = await send({ ...request, confirm_amount: terms.confirm_amount }, approval)
    const items = [
      ...cart.lines.map((line) => ({ appraisal_id: line.appraisalId, price: line.price })),
      { appraisal_id: saved.data.appraisal_id, price },
    ]
    const body = { items, date, currency: preview.currency, ...terms }
    const sent = { body: { ...body, ...(approval && { approval }) } }
    return { purchase: await callApi('POST /api/purchases', sent, undefined, keyOf(body)) }
  }
  function openBought(bought: Awaited<ReturnType<typeof buy>>, seller: SellerInputWire | undefined) {
    if (bought.appraisal) return open(bought.appraisal, seller)
    const { purchase_id: id } = bought.purchase.data
    if (seller) queryClient.setQueryData(sellerOnPaper(id), seller)
    if (isCustomerScreenOpen()) showCustomer({ kind: 'thanks', receiptUrl: null })
    cart.clear()
    clearDraft()
    navigate(`/dashboard/purchases/${id}?print`)
  }
  /** Keeps the device for the purchase, and the counter is ready for the next one. */
  async function keep(reference: string, price: number, title: string, approval?: ApprovalWire) {
    const { data } = await send(toRequest(reference, false, price), approval)
    cart.add({ appraisalId: data.appraisal_id, title, price, currency: data.currency })
    clearDraft()
    navigate('/dashboard/counter')
  }
  return { cart, buy, openBought, keep, send, toRequest, open, change }
}

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
  const { cart, buy, openBought, keep, send, toRequest, open, change: saving } = useSaveAppraisal(deal, preview)
  const { error } = saving
  /** What is done once a manager approved it. */
  const [approval, setApproval] = useState<{
    readonly work: (approval: ApprovalWire) => Promise<void>
    readonly why: string
  } | null>(null)
  const [isShownToCustomer, showToCustomer] = useState(false)
  const { offer, currency } = preview
  const { sees_margins: seesMargins, offer_limit: offerLimit, organization } = useSession()
  // A device that does not work needs no grade.
  const isGraded =
    deal.grade !== null || isUngradable(defectsOfKind(preview.identity.device_kind ?? null), deal.defects)
  const basis = isGraded && seesMargins ? negotiationBasis(preview) : null
  const maxOffer = isGraded ? offer.max_offer : null
  // Who does not see the maximum chooses a price beside the recommendation.
  const priceBasis = isGraded ? (offer.max_offer ?? offer.recommended_offer) : null
  // A price chosen for one offer does not apply to another.
  const agreed = priceBasis && chosen?.basis === priceBasis ? chosen.price : null
  const tone = DECISION_TONES[offer.decision]
  // A device that is not bought is recorded as such, even if nobody knows what it is.
  const isDeclined = offer.decision === 'reject' || offer.decision === 'identify'
  const promised = preview.quote?.currency === currency ? (preview.quote?.price ?? null) : null
  const price = agreed ?? promised ?? offer.recommended_offer
  const inStock = preview.identity.known_to_you.find(({ status }) => status === 'in_stock')
  const isAdvised = BUYING_DECISIONS.has(offer.decision)
  const canBuy = (isAdvised || offer.decision === 'inspect') && isGraded && price !== null && price > 0
  // A device that does not work cannot be asked for its size.
  const lacksStorage =
    preview.identity.unresolved_attributes.some(({ name, values }) => name === 'storage' && values.length > 1) &&
    !isUngradable(defectsOfKind(preview.identity.device_kind ?? null), deal.defects)
  const isPromised = preview.quote?.price_held === true && price !== null && price <= (promised ?? 0)
  const aboveMaximum =
    seesMargins && !isPromised && maxOffer !== null && price !== null ? Math.max(0, price - maxOffer) : 0
  const title = deviceTitle(preview.identity)
  const isSameCurrency = cart.lines.every((line) => line.currency === currency)
  const total = cart.total + (price ?? 0)
  const buying = useBuying({
    amount: formatAmount(total, currency),
    send: (terms) => buy(reference, price ?? 0, terms),
    done: openBought,
  })
  const shownOffer = customerOffer(preview, deal, price)
  const isOffered = canBuy && isCurrent
  const toScreen = JSON.stringify(isOffered ? shownOffer : { kind: 'idle' })
  useEffect(() => showCustomer(JSON.parse(toScreen)), [toScreen])
  const isPending = saving.isPending || buying.isPending
  const startPurchase = () =>
    buying.start(inStock ? { confirms: 'confirm_duplicate', text: knownText(t, inStock) } : null)
  /** Asks for a manager where the person may not do it alone. */
  const withApproval = (work: (approval?: ApprovalWire) => Promise<void>) =>
    saving.mutate(async () => {
      try {
        await work()
      } catch (error) {
        if (!needsApproval(error)) throw error
        setApproval({ work, why: error.message })
      }
    })
  const save = () =>
    withApproval(async (approval) => open(await send(toRequest(reference, isDeclined, agreed), approval)))
  const keepForPurchase = () => withApproval((approval) => keep(reference, price ?? 0, title, approval))
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    if (!canBuy || lacksStorage || !isCurrent || isPending || buying.isOpen || approval) return
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
              disabled={!isCurrent || lacksStorage || !isSameCurrency}
              aria-keyshortcuts="Control+Enter"
              onClick={startPurchase}
            >
              {cart.lines.length > 0
                ? t('cart.buy', { count: cart.lines.length + 1, amount: formatAmount(total, currency) })
                : aboveMaximum > 0
                  ? t('offer.buyAbove', { amount: formatAmount(aboveMaximum, currency) })
                  : t('offer.buyAndPrint')}
            </Button>
          ) : null}
          <Button
            variant={canBuy && isAdvised ? 'plain' : 'primary'}
            isBusy={isPending}
            disabled={!isCurrent}
            onClick={save}
          >
            {isDeclined
              ? t('offer.saveDeclined')
              : agreed === null
                ? t('offer.save')
                : t('offer.saveAt', { amount: formatAmount(agreed, currency) })}
          </Button>
        </div>
        {canBuy && lacksStorage ? <p className="field-error">{t('offer.storageNeeded')}</p> : null}
        {aboveMaximum > 0 ? (
          <p className="field-error">{t('offer.aboveMaximum', { amount: formatAmount(aboveMaximum, currency) })}</p>
        ) : null}
      </div>
      {isShownToCustomer ? (
        <Dialog title={shownOffer.device} onClose={() => showToCustomer(false)}>
          <Offer offer={shownOffer} isTitled={false} />
        </Dialog>
      ) : null}
      <div className="offer-rest">
        {isGraded && seesMargins ? <InspectionReasons preview={preview} /> : null}
        {canBuy ? (
          <Button variant="link" isBusy={isPending} disabled={!isCurrent || lacksStorage} onClick={keepForPurchase}>
            {t('cart.another')}
          </Button>
        ) : null}
        {canBuy ? (
          <Button variant="link" onClick={() => showToCustomer(true)}>
            {t('customer.show')}
          </Button>
        ) : null}
        {canBuy ? (
          <Button variant="link" onClick={openCustomerScreen}>
            {t('customer.window')}
          </Button>
        ) : null}
        {failure}
        <ErrorMessage error={error ?? buying.error} onRetry={error ? save : startPurchase} />
        {approval ? (
          <ApproveDialog
            why={approval.why}
            send={approval.work}
            close={() => setApproval(null)}
            approved={() => setApproval(null)}
          />
        ) : null}
        {buying.dialogs}
        {basis ? (
          <Negotiation
            basis={basis}
            currency={currency}
            price={agreed ?? basis.recommendedOffer}
            isDisabled={!isCurrent}
            choose={(price) => change({ chosen: price === null ? null : { price, basis: basis.maxOffer } })}
          />
        ) : null}
        {!seesMargins && priceBasis && offer.recommended_offer !== null ? (
          <AgreedPriceField
            key={priceBasis}
            currency={currency}
            recommended={offer.recommended_offer}
            choose={(price) => change({ chosen: price === null ? null : { price, basis: priceBasis } })}
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

type KnownDeal = AppraisalPreviewWire['identity']['known_to_you'][number]

const knownText = (t: TFunction<'counter'>, { date, by, price, currency }: KnownDeal): string =>
  t('buy.inStock', { date: formatDay(date), by, price: formatAmount(price, currency) })

/** What the customer may see: the device, its condition and the offer; no resale price, maximum, margin or risk. */
function customerOffer(preview: AppraisalPreviewWire, deal: Deal, price: number | null) {
  const texts = codeTexts()
  const { identity, defects, quote, currency } = preview
  return {
    kind: 'offer',
    device: texts.deviceTitle(identity),
    deviceId: identity.device_id,
    condition: [
      ...(deal.grade ? [texts.gradeName(deal.grade)] : []),
      ...defects.map((code) => texts.defect(code, identity.device_kind ?? null).name),
    ],
    amount: formatAmount(price, currency),
    differences: (quote?.differences ?? []).map(
      (difference) =>
        `${describeDifference(difference)}: ${formatAmount(difference.before, quote?.currency ?? currency)} → ${formatAmount(difference.after, quote?.currency ?? currency)}`,
    ),
  } as const
}

/** After a purchase the customer's screen thanks, with the code of the receipt if it can be reached. */
async function thankCustomer(appraisalId: string): Promise<void> {
  if (!isCustomerScreenOpen()) return
  showCustomer({ kind: 'thanks', receiptUrl: null })
  const body = { facts: ['device', 'identifier', 'grade', 'check'] as SharedFact[], time_zone: browserTimeZone() }
  const { data } = await callApi('POST /api/appraisals/{id}/shares', { params: { id: appraisalId }, body })
  if (data.url && isReachable(data.url)) showCustomer({ kind: 'thanks', receiptUrl: data.url })
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
  return (
    <TextField
      label={t('offer.agreedPrice', { currency })}
      inputMode="decimal"
      pattern={AMOUNT_PATTERN}
      placeholder={toAmountText(recommended, currency)}
      value={text}
      onValueChange={(next) => {
        setText(next)
        choose(readAmountText(next, currency))
      }}
      autoComplete="off"
    />
  )
}

/** Reasons for which no offer is made until they are resolved. */
const WITHHOLDING_REASONS: ReadonlySet<string> = new Set(['conflicting_input', 'recheck_identifier'])

function OfferAmount({ preview, isGraded }: { preview: AppraisalPreviewWire; isGraded: boolean }) {
  const { t } = useTranslation('counter')
  const { sees_margins: seesMargins } = useSession()
  const { offer, currency, grades } = preview
  const money = (amount: number | null) => formatAmount(amount, currency)
  if (offer.recommended_offer === null) return <p className="offer-amount">{t('offer.none')}</p>
  if (offer.decision === 'inspect' && offer.recommended_offer === 0) {
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
      {seesMargins && offer.decision !== 'reject' && offer.max_offer !== offer.recommended_offer ? (
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
