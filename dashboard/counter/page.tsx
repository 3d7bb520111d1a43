import { Link } from 'wouter'
import type { LookupResultWire } from '../../src/contract/imei.ts'
import { useChange } from '../answers.ts'
import { Card, Empty, Loading, PageHead, Problem } from '../parts/basics.tsx'
import { post } from '../service.ts'
import { useMayUse } from '../session.tsx'
import { isEmpty, useDeal, usePreview } from './deal.ts'
import { DefectPicker } from './defect-picker.tsx'
import { GradePicker } from './grade-picker.tsx'
import { OfferPanel } from './offer-panel.tsx'
import { PlanPictures } from './plan-pictures.tsx'
import { QuestionBox } from './question-box.tsx'
import { RiskCard } from './risk-card.tsx'
import { WhatItIs } from './what-it-is.tsx'
import { WorthCard } from './worth-card.tsx'

/** From what is in hand to an offer: one page, which changes as somebody picks and ticks. */
export function CounterPage() {
  const [deal, change] = useDeal()
  const asked = usePreview(deal)
  const checking = useChange()
  const mayAppraise = useMayUse('paid')
  // Beside a device that was chosen by hand its identifier is looked up, and the choice stays.
  const look = (identifier: string) =>
    checking.mutate(async () => {
      const { data } = await post<LookupResultWire>('/account/explore/imei', { identifier })
      change({ lookup: data.lookup_id })
    })
  if (!mayAppraise) {
    return (
      <>
        <PageHead title="Appraise" />
        <Empty title="Appraisals need the Paid tier" />
      </>
    )
  }
  if (isEmpty(deal)) {
    return (
      <>
        <PageHead title="What is in your hand?" lead="An identifier, a number on the back, or a name." />
        <Card>
          <QuestionBox autoFocus />
        </Card>
      </>
    )
  }
  const preview = asked.data?.data
  return (
    <>
      <nav className="crumbs" aria-label="You are here">
        <Link to="/dashboard/counter">Appraise another</Link>
        <span aria-current="page">{preview?.identity.device_name ?? 'this one'}</span>
      </nav>
      <PageHead title={preview?.identity.device_name ?? 'What is in your hand?'} />
      {asked.error ? <Problem error={asked.error} again={asked.refetch} /> : null}
      {checking.error ? <Problem error={checking.error} /> : null}
      {preview ? (
        <div className="counter">
          <div className="counter-said">
            <WhatItIs preview={preview} deal={deal} change={change} />
            <GradePicker preview={preview} chosen={deal.grade} choose={(grade) => change({ grade })} />
            <DefectPicker ticked={deal.defects} tick={(defects) => change({ defects })} />
          </div>
          <OfferPanel preview={preview} deal={deal} />
          <div className="counter-told">
            <RiskCard preview={preview} look={look} />
            <WorthCard preview={preview} grade={deal.grade} />
          </div>
          <div className="counter-plans">
            <PlanPictures {...preview} />
          </div>
        </div>
      ) : asked.error ? null : (
        <Loading lines={8} />
      )}
    </>
  )
}
