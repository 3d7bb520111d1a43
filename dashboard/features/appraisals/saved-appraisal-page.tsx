import { useState } from 'react'
import { Link } from 'wouter'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { formatAmount, formatTime } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, ErrorMessage, LoadingSkeleton } from '../../ui/states.tsx'
import { counterUrl } from '../counter/deal.ts'
import { OfferBreakdown } from '../counter/offer-breakdown.tsx'
import { PlanCards } from '../counter/plan-cards.tsx'
import { Receipt } from './receipt.tsx'
import { VerificationCodeCard } from './verification-code-card.tsx'

/** The style sheet picks the paper size from `data-paper` on the root element. */
function print(paper: 'a4' | 'receipt'): void {
  document.documentElement.dataset.paper = paper
  window.print()
}

export function SavedAppraisalPage({ id }: { id: string }) {
  const query = useApiQuery<AppraisalWire>(`/account/explore/appraisals/${encodeURIComponent(id)}`)
  if (query.error) {
    return (
      <>
        <PageHeader title="Appraisal" />
        {query.error.code === 'NOT_FOUND' ? (
          <EmptyState title="Appraisal not found">
            <p>
              <Link to="/dashboard/appraisals">All appraisals</Link>
            </p>
          </EmptyState>
        ) : (
          <ErrorMessage error={query.error} onRetry={query.refetch} />
        )}
      </>
    )
  }
  if (!query.data) {
    return (
      <>
        <PageHeader title="Appraisal" />
        <LoadingSkeleton lines={8} />
      </>
    )
  }
  return <AppraisalView appraisal={query.data.data} />
}

function AppraisalView({ appraisal }: { appraisal: AppraisalWire }) {
  const { organization } = useSession()
  const [address, setAddress] = useState<string | null>(null)
  const { identity, offer, currency } = appraisal
  const deal = {
    device: identity.device_id,
    variant: identity.variant_id,
    lookup: appraisal.risk?.lookup_id ?? null,
    grade: offer.condition,
    defects: appraisal.defects,
  }
  return (
    <>
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to="/dashboard/appraisals">Appraisals</Link>
        <span aria-current="page">{appraisal.reference ?? appraisal.appraisal_id}</span>
      </nav>
      <PageHeader title={identity.device_name ?? 'Appraisal'} lead={`Appraised ${formatTime(appraisal.timestamp)}`}>
        <Button variant="primary" onClick={() => print('a4')}>
          Print A4
        </Button>
        <Button onClick={() => print('receipt')}>Print receipt</Button>
        <Link className="button button-plain" to={counterUrl(deal)}>
          Appraise again
        </Link>
      </PageHeader>
      <div className="sheet-columns">
        <Receipt appraisal={appraisal} organization={organization?.name ?? ''} address={address} />
        <div>
          <VerificationCodeCard appraisalId={appraisal.appraisal_id} address={address} show={setAddress} />
          <Card
            title="How the offer is calculated"
            note={`Maximum offer ${formatAmount(offer.max_offer, currency)}. Not printed on the receipt.`}
          >
            <OfferBreakdown reasons={offer.reasons} currency={currency} />
          </Card>
        </div>
      </div>
      <PlanCards {...appraisal} />
    </>
  )
}
