import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'

/** Button below a table that shows further rows; nothing if there are none. */
export function MoreRows({ left, show }: { left: number; show: () => void }) {
  const { t } = useTranslation('appraise-list')
  if (left <= 0) return null
  return (
    <p className="card-actions">
      <Button onClick={show}>{t('results.more', { left })}</Button>
    </p>
  )
}
