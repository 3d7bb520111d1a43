import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasRole, useHasTier } from '../../session.tsx'
import { DeviceSearchBox } from '../counter/device-search-box.tsx'
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
  useEffect(() => {
    document.title = `${t('home.title')} · Device Intelligence`
  }, [t])
  return (
    <section className="home">
      <h1>{t('home.title')}</h1>
      {mayAppraise ? <DeviceSearchBox autoFocus /> : <p className="muted">{t('home.needsPaid')}</p>}
    </section>
  )
}
