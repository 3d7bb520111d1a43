import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationSettingsWire } from '../../../src/contract/management-settings.ts'
import { SELLER_RECORD_MODES } from '../../../src/contract/sellers.ts'
import { currentLanguage } from '../../i18n.ts'
import { DownloadButton } from '../../ui/download-button.tsx'
import { Choice, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'

export type SellerSettings = Pick<OrganizationSettingsWire, 'seller_record' | 'seller_retention_days'>

/** What the shop records about sellers, and for how long. */
export function SellerRecordCard({
  chosen,
  choose,
}: {
  chosen: SellerSettings
  choose: (settings: SellerSettings) => void
}) {
  const { t } = useTranslation('receipt-details')
  const name = useId()
  return (
    <Card title={t('sellers.title')} note={t('sellers.note')}>
      <div className="stack settings">
        <fieldset className="choices">
          <legend>{t('sellers.legend')}</legend>
          {SELLER_RECORD_MODES.map((mode) => (
            <Choice
              key={mode}
              type="radio"
              name={name}
              checked={chosen.seller_record === mode}
              onChange={() => choose({ ...chosen, seller_record: mode })}
              title={t(`sellers.mode.${mode}`)}
              hint={t(`sellers.modeHint.${mode}`)}
            />
          ))}
        </fieldset>
        <TextField
          label={t('sellers.days')}
          hint={t('sellers.daysHint')}
          type="number"
          min={1}
          max={36_500}
          value={String(chosen.seller_retention_days ?? '')}
          onValueChange={(days) => choose({ ...chosen, seller_retention_days: days === '' ? null : Number(days) })}
        />
      </div>
    </Card>
  )
}

/** The purchases of a period with their sellers, as a file for the authorities. */
export function RegisterCard() {
  const { t } = useTranslation('receipt-details')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  return (
    <Card title={t('sellers.registerTitle')}>
      <div className="register">
        <TextField label={t('sellers.from')} type="date" value={from} onValueChange={setFrom} />
        <TextField label={t('sellers.to')} type="date" value={to} onValueChange={setTo} />
        <DownloadButton
          route="GET /api/sellers"
          request={{ query: { format: 'csv', language: currentLanguage(), from, to } }}
        >
          {t('sellers.register')}
        </DownloadButton>
      </div>
    </Card>
  )
}
