import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { PageHeader } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

export function NotFoundPage() {
  const { t } = useTranslation('not-found')
  return (
    <>
      <PageHeader title={t('title')} />
      <EmptyState
        title={t('page')}
        hint={<Trans t={t} i18nKey="hint" components={{ overview: <Link to="/dashboard" /> }} />}
      />
    </>
  )
}
