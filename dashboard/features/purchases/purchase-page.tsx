import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearch } from 'wouter'
import type { PurchaseWire } from '../../../src/contract/purchases.ts'
import { DEFAULT_RECEIPT_DETAILS } from '../../../src/contract/receipt-details.ts'
import { callApi, RequestError } from '../../api.ts'
import { formatAmount, formatCount, formatTime } from '../../format.ts'
import { printPage } from '../../print-page.ts'
import { queryClient, useApiMutation, useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/field.tsx'
import { Breadcrumbs, PageHeader } from '../../ui/page.tsx'
import { EmptyState, ErrorMessage, QueryView } from '../../ui/states.tsx'
import { useChosenPaper, usePaperSize } from '../appraisals/paper-size.ts'
import { usePaperTexts } from '../appraisals/paper-texts.ts'
import { COPIES, type SellerOnPaper } from '../appraisals/receipt.tsx'
import { sellerOnPaper } from '../appraisals/seller-on-paper.ts'
import { LabelsToPrint } from '../stock/label.tsx'
import { PurchaseReceipt } from './purchase-receipt.tsx'

/** Labels printed at once; the API sends at most a hundred items. */
const MAX_LABELS = 100

export function PurchasePage({ id }: { id: string }) {
  const { t } = useTranslation('purchases')
  const query = useOperation('GET /api/purchases/{id}', { params: { id } })
  return (
    <QueryView
      query={query}
      skeletonLines={8}
      title={t('title')}
      notFound={<EmptyState title={t('notFound')} hint={<Link to="/dashboard/stock">{t('stock')}</Link>} />}
    >
      {(purchase) => <PurchaseView purchase={purchase} />}
    </QueryView>
  )
}

function PurchaseView({ purchase }: { purchase: PurchaseWire }) {
  const { t } = useTranslation(['purchases', 'appraisals'])
  const { organization } = useSession()
  const { purchase_id: id, lines, currency } = purchase
  const isPrintAsked = useSearch() === 'print'
  const [path, navigate] = useLocation()
  const [paper, setPaper] = useChosenPaper()
  const sheets = useRef<HTMLDivElement>(null)
  usePaperSize(sheets, paper)
  const settings = useOperation('GET /api/manage/settings', {})
  const details = settings.data?.data.receipt ?? DEFAULT_RECEIPT_DETAILS
  const texts = usePaperTexts(details.language)
  const stock = useOperation('GET /api/stock', { query: { purchase_id: id, limit: MAX_LABELS } })
  const labels = details.label === '' ? [] : (stock.data?.data ?? [])
  const entered = queryClient.getQueryData<SellerOnPaper>(sellerOnPaper(id)) ?? null
  const [stored, setStored] = useState<SellerOnPaper | null>()
  const printing = useApiMutation()
  /** Read when it is printed, because every reading is recorded. */
  async function loadSeller() {
    const [line] = lines
    if (entered || stored !== undefined || !line) return
    const seller = await callApi('GET /api/appraisals/{id}/seller', { params: { id: line.appraisal_id } }).then(
      ({ data }) => data,
      (error) => {
        // None is recorded, or it is not for this person: the receipt has no seller.
        if (error instanceof RequestError && (error.status === 403 || error.status === 404)) return null
        throw error
      },
    )
    flushSync(() => setStored(seller))
  }
  const print = () =>
    printing.mutate(async () => {
      await loadSeller()
      await printPage()
    })
  const isPaperReady = settings.isFetched && texts.isLoaded && stock.isFetched
  const onReady = useEffectEvent(async () => {
    // Going back to the page must not print it again.
    navigate(path, { replace: true })
    await printPage()
    if (labels.length > 0) await printPage('label')
    navigate('/dashboard/counter')
  })
  useEffect(() => {
    if (isPrintAsked && isPaperReady) void onReady()
  }, [isPrintAsked, isPaperReady])
  return (
    <>
      <Breadcrumbs label={t('breadcrumb')} links={[['/dashboard/stock', t('stock')]]} here={id} />
      <PageHeader
        title={t('heading', { id })}
        lead={t('lead', {
          count: lines.length,
          total: formatAmount(purchase.total, currency),
          time: formatTime(purchase.created_at),
          person: purchase.created_by.name,
        })}
      />
      {lines.length === 0 ? <p className="banner">{t('withdrawn')}</p> : null}
      <table className="table">
        <thead>
          <tr>
            <th>{t('column.number')}</th>
            <th>{t('column.device')}</th>
            <th className="number">{t('column.price')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.appraisal_id}>
              <td>{formatCount(line.stock_number)}</td>
              <td>
                <Link to={`/dashboard/stock/${line.appraisal_id}`}>{line.device_name}</Link>{' '}
                <span className="muted">{[line.identifier, line.second_identifier].filter(Boolean).join(' / ')}</span>
              </td>
              <td className="number">{formatAmount(line.price, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="sheet-tools">
        <SegmentedControl
          label={t('appraisals:saved.paper')}
          options={[
            { value: 'a4', text: 'A4' },
            { value: 'roll', text: '80 mm' },
          ]}
          chosen={paper}
          choose={setPaper}
        />
        <Button variant="primary" isBusy={printing.isPending || !isPaperReady} onClick={print}>
          {t('appraisals:saved.print')}
        </Button>
        {labels.length > 0 ? (
          <Button onClick={() => printPage('label')}>{t('labels', { count: labels.length })}</Button>
        ) : null}
        <ErrorMessage error={printing.error} />
      </div>
      <div className="sheets" ref={sheets}>
        {COPIES.map((copy) => (
          <PurchaseReceipt
            key={copy}
            purchase={purchase}
            organization={organization.name}
            details={details}
            texts={texts}
            paper={paper}
            copy={copy}
            seller={entered ?? stored ?? null}
          />
        ))}
      </div>
      {labels.length > 0 && details.label !== '' ? <LabelsToPrint items={labels} size={details.label} /> : null}
    </>
  )
}
