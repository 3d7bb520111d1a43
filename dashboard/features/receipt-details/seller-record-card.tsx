import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationSettingsWire } from '../../../src/contract/management-settings.ts'
import { SELLER_RECORD_MODES } from '../../../src/contract/sellers.ts'
import { callApi } from '../../api.ts'
import { currentLanguage } from '../../i18n.ts'
import { useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { Choice, TextField } from '../../ui/field.tsx'
import { ApiForm } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { QueryView } from '../../ui/states.tsx'

/** What the shop records about sellers, for how long, and the register for the authorities. */
export function SellerRecordCard() {
  const { t } = useTranslation('receipt-details')
  const { role } = useSession()
  const query = useOperation('GET /api/manage/settings', {})
  return (
    <Card title={t('sellers.title')} note={t('sellers.note')}>
      <QueryView query={query} skeletonLines={3}>
        {(settings) => (
          <>
            {role === 'owner' ? (
              <SellerRecordForm key={`${settings.seller_record} ${settings.seller_retention_days}`} saved={settings} />
            ) : (
              <p>{t(`sellers.mode.${settings.seller_record}`)}</p>
            )}
            {settings.seller_record === 'off' ? null : <Register />}
          </>
        )}
      </QueryView>
    </Card>
  )
}

type SellerSettings = Pick<OrganizationSettingsWire, 'seller_record' | 'seller_retention_days'>

function SellerRecordForm({ saved }: { saved: SellerSettings }) {
  const { t } = useTranslation(['receipt-details', 'common'])
  const name = useId()
  const [mode, setMode] = useState(saved.seller_record)
  const [days, setDays] = useState(String(saved.seller_retention_days ?? ''))
  const send = async () => {
    const body = { seller_record: mode, seller_retention_days: days === '' ? null : Number(days) }
    await callApi('PATCH /api/manage/settings', { body })
  }
  return (
    <div className="settings">
      <ApiForm action={t('sellers.save')} saved={t('common:saved')} send={send}>
        <fieldset className="choices">
          <legend>{t('sellers.legend')}</legend>
          {SELLER_RECORD_MODES.map((each) => (
            <Choice
              key={each}
              type="radio"
              name={name}
              checked={mode === each}
              onChange={() => setMode(each)}
              title={t(`sellers.mode.${each}`)}
              hint={t(`sellers.modeHint.${each}`)}
            />
          ))}
        </fieldset>
        <TextField
          label={t('sellers.days')}
          hint={t('sellers.daysHint')}
          type="number"
          min={1}
          max={36_500}
          value={days}
          onValueChange={setDays}
        />
      </ApiForm>
    </div>
  )
}

/** The purchases of a period with their sellers, as a file. */
function Register() {
  const { t } = useTranslation('receipt-details')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  return (
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
  )
}
