import { useTranslation } from 'react-i18next'
import { useScanLost } from '../scan/keyboard-scan.ts'

/** Shown until the next scan when the beginning of one came before the page was loaded. */
export function ScanLostBanner() {
  const { t } = useTranslation()
  return useScanLost() ? (
    <p className="banner" role="alert">
      {t('scan.lost')}
    </p>
  ) : null
}
