import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearch } from 'wouter'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { DEFAULT_RECEIPT_DETAILS } from '../../../src/contract/receipt-details.ts'
import type { SellerOnReceiptWire } from '../../../src/contract/sellers.ts'
import { callApi, RequestError } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatTime } from '../../format.ts'
import { printPage } from '../../print-page.ts'
import { queryClient, useApiMutation, useOperation } from '../../queries.ts'
import { useHasRole, useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/field.tsx'
import { Breadcrumbs, Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage, QueryView } from '../../ui/states.tsx'
import { counterUrl } from '../counter/deal.ts'
import { OfferBreakdown } from '../counter/offer-breakdown.tsx'
import { PlanCards } from '../counter/plan-cards.tsx'
import { OutcomeCard } from '../outcomes/outcome.tsx'
import { LabelsToPrint } from '../stock/label.tsx'
import { useChosenPaper, usePaperSize } from './paper-size.ts'
import { usePaperTexts } from './paper-texts.ts'
import { isReachable } from './reachable-address.ts'
import { COPIES, type Copy, Receipt, type SellerOnPaper } from './receipt.tsx'
import { SellerCard } from './seller-card.tsx'
import { sellerOnPaper } from './seller-on-paper.ts'
import { VerificationCodeCard } from './verification-code-card.tsx'

export function SavedAppraisalPage({ id }: { id: string }) {
  const { t } = useTranslation('appraisals')
  const query = useOperation('GET /api/appraisals/{id}', { params: { id } })
  return (
    <QueryView
      query={query}
      skeletonLines={8}
      title={t('saved.title')}
      notFound={
        <EmptyState title={t('saved.notFound')} hint={<Link to="/dashboard/appraisals">{t('saved.all')}</Link>} />
      }
    >
      {(appraisal) => <AppraisalView appraisal={appraisal} />}
    </QueryView>
  )
}

/** After "Buy and print" the receipt is printed, and the counter is ready for the next device. */
function usePrintOnArrival(isReady: boolean, print: () => Promise<void>): void {
  const isAsked = useSearch() === 'print'
  const [path, navigate] = useLocation()
  const onReady = useEffectEvent(async () => {
    // Going back to the page must not print it again.
    navigate(path, { replace: true })
    await print()
    navigate('/dashboard/counter')
  })
  useEffect(() => {
    if (isAsked && isReady) void onReady()
  }, [isAsked, isReady])
}

/** The stock item of a purchase, and its seller as far as this person may see it. */
function usePurchase({ appraisal_id: id, outcome }: AppraisalWire) {
  const isBought = Boolean(outcome?.bought)
  const mayRead = useHasRole('manager')
  const item = useOperation('GET /api/stock/{id}', isBought ? { params: { id } } : null)
  const sellers = useOperation(
    'GET /api/sellers',
    isBought && mayRead ? { query: { appraisal_id: id, status: 'current' } } : null,
  )
  return {
    item: item.data?.data ?? null,
    entered: queryClient.getQueryData<SellerOnPaper>(sellerOnPaper(id)) ?? null,
    entry: sellers.data?.data[0] ?? null,
    isReady: !isBought || (item.isFetched && (!mayRead || sellers.isFetched)),
  }
}

/** The stored seller of a purchase: undefined until it is printed, because every reading is recorded. */
function useStoredSeller(id: string, isNeeded: boolean) {
  const [stored, setStored] = useState<SellerOnReceiptWire | null>()
  const load = async () => {
    if (!isNeeded || stored !== undefined) return
    const seller = await callApi('GET /api/appraisals/{id}/seller', { params: { id } }).then(
      ({ data }) => data,
      (error) => {
        // None is recorded, or it is not for this person: the receipt has no seller.
        if (error instanceof RequestError && (error.status === 403 || error.status === 404)) return null
        throw error
      },
    )
    flushSync(() => setStored(seller))
  }
  return { stored, load }
}

function AppraisalView({ appraisal }: { appraisal: AppraisalWire }) {
  const { t } = useTranslation('appraisals')
  const { organization, role, sees_margins: seesMargins } = useSession()
  const [address, setAddress] = useState<string | null>(null)
  const [paper, setPaper] = useChosenPaper()
  const isBought = Boolean(appraisal.outcome?.bought)
  const [copies, setCopies] = useState<Copy | 'both'>(isBought ? 'both' : 'shop')
  const { item, entered, entry, isReady } = usePurchase(appraisal)
  const { stored, load: loadSeller } = useStoredSeller(appraisal.appraisal_id, isBought && !entered)
  const [signature, setSignature] = useState<string | null>(null)
  const seller = entered ?? stored ?? (entry && { ...entry, signature })
  const printing = useApiMutation()
  const print = () =>
    printing.mutate(async () => {
      await loadSeller()
      await printPage()
    })
  const settings = useOperation('GET /api/manage/settings', {})
  const details = settings.data?.data.receipt ?? DEFAULT_RECEIPT_DETAILS
  const texts = usePaperTexts(details.language)
  // Paper of another language or without the address of the shop would look right and be wrong.
  const isPaperReady = settings.isFetched && texts.isLoaded
  const label = item && details.label !== '' ? { item, size: details.label } : null
  usePrintOnArrival(isPaperReady && isReady, async () => {
    await printPage()
    if (label) await printPage('label')
  })
  const sheets = useRef<HTMLDivElement>(null)
  usePaperSize(sheets, paper)
  const { identity, offer, currency } = appraisal
  // A device that was found by its identifier is found again that way, with the attributes that are known.
  const isFoundByIdentifier = identity.identified_by === 'identifier'
  const deal = {
    device: isFoundByIdentifier ? null : identity.device_id,
    variant: isFoundByIdentifier ? null : identity.variant_id,
    lookup: appraisal.risk?.lookup_id ?? null,
    attributes: Object.fromEntries(
      (identity.attributes ?? []).map((attribute) => [attribute.attribute_name, attribute.attribute_value]),
    ),
    grade: offer.reasons.some(({ code }) => code === 'condition_missing') ? null : offer.condition,
    defects: appraisal.defects,
  }
  return (
    <>
      <Breadcrumbs
        label={t('saved.breadcrumb')}
        links={[['/dashboard/appraisals', t('title')]]}
        here={appraisal.reference ?? t('saved.title')}
      />
      <PageHeader
        title={codeTexts().deviceTitle(identity)}
        lead={t('saved.lead', { time: formatTime(appraisal.timestamp) })}
      >
        <Link className="button button-plain" to={counterUrl(deal)}>
          {t('saved.again')}
        </Link>
      </PageHeader>
      <OutcomeCard appraisal={appraisal} />
      <div className="sheet-tools">
        <SegmentedControl
          label={t('saved.paper')}
          options={[
            { value: 'a4', text: 'A4' },
            { value: 'roll', text: '80 mm' },
          ]}
          chosen={paper}
          choose={setPaper}
        />
        <SegmentedControl
          label={t('saved.copy')}
          options={[
            { value: 'shop', text: t('saved.shopCopy') },
            { value: 'customer', text: t('saved.customerCopy') },
            { value: 'both', text: t('saved.bothCopies') },
          ]}
          chosen={copies}
          choose={setCopies}
        />
        <Button variant="primary" isBusy={printing.isPending || !isPaperReady} onClick={print}>
          {t('saved.print')}
        </Button>
        <ErrorMessage error={printing.error} />
        {item ? <Link to={`/dashboard/stock/${item.id}`}>{t('saved.stockItem', { number: item.number })}</Link> : null}
        {role === 'clerk' ? null : <Link to="/dashboard/receipt">{t('saved.details')}</Link>}
        {settings.isFetched && details.address === '' ? (
          <p className="muted sheet-hint">{t('saved.addressMissing')}</p>
        ) : null}
      </div>
      <div className="sheet-columns">
        <div className="sheets" ref={sheets}>
          {COPIES.filter((copy) => copies === 'both' || copies === copy).map((copy) => (
            <Receipt
              key={copy}
              appraisal={appraisal}
              organization={organization.name}
              details={details}
              texts={texts}
              address={address && isReachable(address) ? address : null}
              paper={paper}
              copy={copy}
              seller={seller}
              stockNumber={item?.number ?? null}
            />
          ))}
        </div>
        <div>
          {entry ? <SellerCard entry={entry} showSignature={setSignature} /> : null}
          <VerificationCodeCard appraisalId={appraisal.appraisal_id} address={address} show={setAddress} />
          {seesMargins ? (
            <Card title={t('saved.why')} note={t('saved.whyNote', { amount: formatAmount(offer.max_offer, currency) })}>
              <OfferBreakdown appraisal={appraisal} />
            </Card>
          ) : null}
        </div>
      </div>
      {seesMargins ? <PlanCards {...appraisal} /> : null}
      {label ? <LabelsToPrint items={[label.item]} size={label.size} /> : null}
    </>
  )
}
