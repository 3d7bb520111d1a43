import { useState } from 'react'
import { Link } from 'wouter'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import { useAnswer } from '../answers.ts'
import { counterAt } from '../counter/deal.ts'
import { PlanPictures } from '../counter/plan-pictures.tsx'
import { Reasons } from '../counter/reasons.tsx'
import { Button, Card, Empty, Loading, PageHead, Problem } from '../parts/basics.tsx'
import { useSession } from '../session.tsx'
import { amountIn, time } from '../words.ts'
import { CodeCard } from './code-card.tsx'
import { Sheet } from './sheet.tsx'

/** The style sheet knows both papers; which one is meant stands on the root while it is printed. */
function print(paper: 'a4' | 'receipt'): void {
  document.documentElement.dataset.paper = paper
  window.print()
}

/** A saved appraisal: its sheet to print, its code, and how the offer came about. */
export function SheetPage({ id }: { id: string }) {
  const asked = useAnswer<AppraisalWire>(`/account/explore/appraisals/${encodeURIComponent(id)}`)
  if (asked.error) {
    return (
      <>
        <PageHead title="Appraisal" />
        {asked.error.code === 'NOT_FOUND' ? (
          <Empty title="There is no such appraisal">
            <p>
              <Link to="/dashboard/appraisals">All appraisals</Link>
            </p>
          </Empty>
        ) : (
          <Problem error={asked.error} again={asked.refetch} />
        )}
      </>
    )
  }
  if (!asked.data) {
    return (
      <>
        <PageHead title="Appraisal" />
        <Loading lines={8} />
      </>
    )
  }
  return <SheetView appraisal={asked.data.data} />
}

function SheetView({ appraisal }: { appraisal: AppraisalWire }) {
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
      <nav className="crumbs" aria-label="You are here">
        <Link to="/dashboard/appraisals">Appraisals</Link>
        <span aria-current="page">{appraisal.reference ?? appraisal.appraisal_id}</span>
      </nav>
      <PageHead title={identity.device_name ?? 'Appraisal'} lead={`Appraised ${time(appraisal.timestamp)}`}>
        <Button look="main" onClick={() => print('a4')}>
          Print A4
        </Button>
        <Button onClick={() => print('receipt')}>Print receipt</Button>
        <Link className="button button-plain" to={counterAt(deal)}>
          Appraise again
        </Link>
      </PageHead>
      <div className="sheet-columns">
        <Sheet appraisal={appraisal} organization={organization?.name ?? ''} address={address} />
        <div>
          <CodeCard appraisalId={appraisal.appraisal_id} address={address} show={setAddress} />
          <Card
            title="How the offer came about"
            note={`At most ${amountIn(offer.max_offer, currency)}. Not on the sheet.`}
          >
            <Reasons reasons={offer.reasons} currency={currency} />
          </Card>
        </div>
      </div>
      <PlanPictures {...appraisal} />
    </>
  )
}
