import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useSession } from '../../session.tsx'

/** The way from sample prices to real ones, for those who may go it. */
export function ConnectPricesHint() {
  const { t } = useTranslation('counter')
  const { role } = useSession()
  if (role !== 'owner') return null
  return (
    <p className="muted">
      <Trans
        t={t}
        i18nKey="offer.connect"
        components={{
          market: <Link to="/dashboard/imports#marketplaces" />,
          list: <Link to="/dashboard/imports" />,
        }}
      />
    </p>
  )
}
