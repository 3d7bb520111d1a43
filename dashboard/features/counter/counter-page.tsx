import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { Condition } from '../../../src/contract/condition-grades.ts'
import { defectsOfKind, gradesOfKind } from '../../../src/contract/device-kinds.ts'
import { QUOTE_ID } from '../../../src/contract/quotes.ts'
import { codeTexts } from '../../codes.ts'
import { queryClient, useApiMutation } from '../../queries.ts'
import { useKeyboardScan } from '../../scan/keyboard-scan.ts'
import { useHasTier, useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Breadcrumbs, Card, PageHeader } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage, LoadingSkeleton } from '../../ui/states.tsx'
import { lookupQuery } from '../lookups/identifier-check.ts'
import { CartCard } from './cart-card.tsx'
import { counterUrl, isDealEmpty, useDeal, useOfferPreview } from './deal.ts'
import { isUngradable } from './defect-groups.ts'
import { DefectPicker } from './defect-picker.tsx'
import { DeviceSearchBox, lookUpIdentifier } from './device-search-box.tsx'
import { clearDraft, useStoredDraft } from './draft.ts'
import { GradePicker } from './grade-picker.tsx'
import { IdentityCard } from './identity-card.tsx'
import { OfferPanel } from './offer-panel.tsx'
import { PlanCards } from './plan-cards.tsx'
import { openQuote, QuoteCard } from './quote-card.tsx'
import { ResaleValueCard } from './resale-value-card.tsx'
import { isRiskDecisive, RiskCard } from './risk-card.tsx'
import { isOfLookup, mayBeSecondImei } from './second-imei.ts'

/** The counter: from a device to an offer on one page that updates with every choice. */
export function CounterPage() {
  const { t } = useTranslation(['counter', 'common'])
  const [deal, change] = useDeal()
  const { preview, isCurrent, error, refetch } = useOfferPreview(deal)
  const checking = useApiMutation()
  const [, navigate] = useLocation()
  const kind = preview?.identity.device_kind ?? null
  const chooseGrade = (grade: Condition) => change({ grade, read: deal.read.filter((field) => field !== 'grade') })
  const mayAppraise = useHasTier('paid')
  const { sees_margins: seesMargins } = useSession()
  const wasChecked = useRef(false)
  /** A scanned IMEI of the same model: the other one of a dual-SIM phone, or the next phone. */
  const [possibleSecond, setPossibleSecond] = useState<{ first: string; identifier: string; lookup: string } | null>(
    null,
  )
  const decisiveRisk = useRef<HTMLDivElement>(null)
  // A check that decides the deal moves its card up: it is brought into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another lookup is shown
  useEffect(() => {
    if (wasChecked.current) decisiveRisk.current?.scrollIntoView({ block: 'nearest' })
  }, [preview?.risk?.lookup_id])
  // Adding an identifier keeps the device that was selected by hand.
  const look = (identifier: string) =>
    checking.run(async () => {
      wasChecked.current = true
      change({ lookup: await lookUpIdentifier(identifier) })
      setPossibleSecond(null)
    })
  const openNext = (lookup: string) => {
    setPossibleSecond(null)
    navigate(counterUrl({ lookup }))
  }
  // The first scan belongs to a device that was chosen by hand; another one is the next device, or asked about.
  function scanned(identifier: string) {
    if (QUOTE_ID.test(identifier)) return checking.run(async () => navigate(counterUrl(await openQuote(identifier))))
    if (deal.lookup === null && !isDealEmpty(deal)) return look(identifier)
    const { lookup: previous } = deal
    return checking.run(async () => {
      // Not from the preview, which may still be of the choices before: both codes of a box are scanned within a second.
      const first = previous === null ? null : (await queryClient.ensureQueryData(lookupQuery(previous))).data
      if (first && isOfLookup(first, identifier)) return
      const lookup = await lookUpIdentifier(identifier)
      const found = queryClient.getQueryData(lookupQuery(lookup).queryKey)?.data
      if (first && found && mayBeSecondImei(first, found))
        setPossibleSecond({ first: first.identifier, identifier, lookup })
      else openNext(lookup)
    })
  }
  // The keys 1 to 4 choose a grade.
  const chooseByKey = (key: string) => {
    const grade = gradesOfKind(kind)[Number(key) - 1]
    if (preview && grade && !isUngradable(defectsOfKind(kind), deal.defects)) chooseGrade(grade.name)
  }
  useKeyboardScan({ onScan: scanned, onKey: chooseByKey })
  // From the list of quotes.
  const quoteToOpen = isDealEmpty(deal) ? deal.quote : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each quote
  useEffect(() => {
    if (quoteToOpen) checking.run(async () => navigate(counterUrl(await openQuote(quoteToOpen)), { replace: true }))
  }, [quoteToOpen])
  if (!mayAppraise) {
    return (
      <>
        <PageHeader title={t('title')} />
        <EmptyState title={t('needsPaid')} />
      </>
    )
  }
  if (isDealEmpty(deal)) {
    return (
      <>
        <PageHeader title={t('start.title')} lead={t('start.lead')}>
          <Link className="button button-plain" to="/dashboard/phone">
            {t('common:nav.phone')}
          </Link>
        </PageHeader>
        <Card>
          <DeviceSearchBox autoFocus />
          <ErrorMessage error={checking.error} />
        </Card>
        <CartCard mayBuy />
        <UnfinishedAppraisal />
      </>
    )
  }
  // Grades, faults and prices belong to a device: first it must be known which.
  const isUnknown = preview !== undefined && preview.identity.device_id === null && kind === null
  const title = preview && codeTexts().deviceTitle(preview.identity)
  const failure = error ? <ErrorMessage error={error} onRetry={refetch} /> : null
  return (
    <>
      <Breadcrumbs
        label={t('start.breadcrumb')}
        links={[['/dashboard/counter', t('start.another')]]}
        here={title ?? t('start.thisDevice')}
      />
      <PageHeader title={title ?? t('start.title')} />
      <CartCard />
      {preview ? null : failure}
      <ErrorMessage error={checking.error} />
      {possibleSecond ? (
        <div className="doubt second-imei" role="alert">
          <p>{t('secondImei.question', { identifier: possibleSecond.identifier })}</p>
          <div className="actions">
            <Button
              variant="primary"
              isBusy={checking.isPending}
              onClick={() => look(`${possibleSecond.first} / ${possibleSecond.identifier}`)}
            >
              {t('secondImei.same')}
            </Button>
            <Button onClick={() => openNext(possibleSecond.lookup)}>{t('secondImei.next')}</Button>
          </div>
        </div>
      ) : null}
      {preview ? (
        <div className="counter">
          <div className="counter-said">
            {preview.quote ? <QuoteCard quote={preview.quote} /> : null}
            <IdentityCard preview={preview} deal={deal} change={change} scanned={scanned} look={look} />
            {isRiskDecisive(preview) ? (
              <div ref={decisiveRisk}>
                <RiskCard preview={preview} look={look} />
              </div>
            ) : null}
            {isUnknown ? null : isUngradable(defectsOfKind(kind), deal.defects) ? (
              <Card title={t('grade.title')} note={t('grade.notNeeded')}>
                {null}
              </Card>
            ) : (
              <GradePicker
                preview={preview}
                isCurrent={isCurrent}
                isRead={deal.read.includes('grade')}
                chosen={deal.grade}
                choose={chooseGrade}
              />
            )}
          </div>
          {isUnknown ? null : (
            <div className="counter-faults">
              <DefectPicker
                deviceId={preview.identity.device_id}
                kind={kind}
                ticked={deal.defects}
                read={deal.read}
                tick={(defects) => change({ defects })}
              />
            </div>
          )}
          <OfferPanel preview={preview} deal={deal} isCurrent={isCurrent} failure={failure} />
          <div className="counter-told">
            {isRiskDecisive(preview) ? null : <RiskCard preview={preview} look={look} />}
            {isUnknown || !seesMargins ? null : <ResaleValueCard preview={preview} grade={deal.grade} />}
          </div>
          <div className="counter-plans">{seesMargins ? <PlanCards {...preview} /> : null}</div>
        </div>
      ) : error ? null : (
        <LoadingSkeleton lines={8} />
      )}
    </>
  )
}

/** Offers to continue the appraisal that was interrupted on this device. */
function UnfinishedAppraisal() {
  const { t } = useTranslation('counter')
  const draft = useStoredDraft()
  const [isDiscarded, setDiscarded] = useState(false)
  if (!draft || isDiscarded) return null
  function discard() {
    clearDraft()
    setDiscarded(true)
  }
  return (
    <Card title={t('draft.title')} note={draft.title}>
      <p className="actions">
        <Link className="button button-primary" to={`/dashboard/counter?${draft.search}`}>
          {t('draft.continue')}
        </Link>
        <Button onClick={discard}>{t('draft.discard')}</Button>
      </p>
    </Card>
  )
}
