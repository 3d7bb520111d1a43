import { useTranslation } from 'react-i18next'
import { useConnectionLost } from '../connection.ts'
import { Button } from './button.tsx'
import { EmptyState } from './states.tsx'

/** Shown in place of the pages when they are opened without a connection. */
export function OfflineMessage({ onRetry }: { onRetry: () => unknown }) {
  const { t } = useTranslation()
  return (
    <div role="alert">
      <EmptyState title={t('offline.title')}>
        <p>{t('offline.hint')}</p>
        <Button variant="primary" onClick={onRetry}>
          {t('action.tryAgain')}
        </Button>
      </EmptyState>
    </div>
  )
}

/** Shown above a page while the connection is lost. */
export function OfflineBanner() {
  const { t } = useTranslation()
  const isLost = useConnectionLost()
  // Nothing is rendered while there is a connection: an empty block would be a page of its own before an 80 mm receipt.
  if (!isLost) return null
  return (
    <p className="banner" role="alert">
      {t('offline.banner')}
    </p>
  )
}
