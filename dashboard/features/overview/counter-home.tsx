import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useHasRole, useHasTier } from '../../session.tsx'
import { DeviceSearchBox } from '../counter/device-search-box.tsx'

export function CounterHome() {
  const { t } = useTranslation('overview')
  const mayAppraise = useHasTier('paid')
  const isManager = useHasRole('manager')
  useEffect(() => {
    document.title = `${t('home.title')} · Device Intelligence`
  }, [t])
  return (
    <section className="home">
      <h1>{t('home.title')}</h1>
      {mayAppraise ? <DeviceSearchBox autoFocus /> : <p className="muted">{t('home.needsPaid')}</p>}
      <p className="home-links">
        {isManager ? <Link to="/dashboard/list">{t('home.list')}</Link> : null}
        <Link to="/dashboard/appraisals">{t('home.appraisals')}</Link>
        <Link to="/dashboard/devices">{t('home.devices')}</Link>
        {isManager ? <Link to="/dashboard/docs">{t('home.quickStart')}</Link> : null}
      </p>
    </section>
  )
}
