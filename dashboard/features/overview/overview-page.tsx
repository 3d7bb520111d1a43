import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useApiMutation } from '../../queries.ts'
import { useKeyboardScan } from '../../scan/keyboard-scan.ts'
import { useHasRole, useHasTier } from '../../session.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { counterUrl } from '../counter/deal.ts'
import { DeviceSearchBox, lookUpIdentifier } from '../counter/device-search-box.tsx'
import { AttentionCard } from './attention-card.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import { RecentWork } from './recent-work.tsx'
import { TodayFigures } from './today-figures.tsx'

export function OverviewPage() {
  const isManager = useHasRole('manager')
  const isOwner = useHasRole('owner')
  return (
    <>
      <CounterHome />
      <TodayFigures />
      {isManager ? <AttentionCard /> : null}
      {isOwner ? <FirstStepsCard /> : null}
      <RecentWork />
    </>
  )
}

function CounterHome() {
  const { t } = useTranslation('overview')
  const mayAppraise = useHasTier('paid')
  const checking = useApiMutation()
  const [, navigate] = useLocation()
  // A scan counts wherever the focus is.
  useKeyboardScan({
    onScan: (identifier) =>
      checking.mutate(async () => navigate(counterUrl({ lookup: await lookUpIdentifier(identifier) }))),
  })
  useEffect(() => {
    document.title = `${t('home.title')} · Device Intelligence`
  }, [t])
  return (
    <section className="home">
      <h1>{t('home.title')}</h1>
      {mayAppraise ? <DeviceSearchBox autoFocus /> : <p className="muted">{t('home.needsPaid')}</p>}
      <ErrorMessage error={checking.error} />
    </section>
  )
}
