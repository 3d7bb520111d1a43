import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasTier } from '../../session.tsx'
import { DeviceSearchBox } from '../counter/device-search-box.tsx'

export function CounterHome() {
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
