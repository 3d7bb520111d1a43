import { useHasRole } from '../../session.tsx'
import { AttentionCard } from './attention-card.tsx'
import { CounterHome } from './counter-home.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import { RecentWork } from './recent-work.tsx'
import { TodayFigures } from './today-figures.tsx'

export function OverviewPage() {
  const isManager = useHasRole('manager')
  return (
    <>
      <CounterHome />
      <TodayFigures />
      {isManager ? <AttentionCard /> : null}
      {isManager ? <FirstStepsCard /> : null}
      <RecentWork />
    </>
  )
}
