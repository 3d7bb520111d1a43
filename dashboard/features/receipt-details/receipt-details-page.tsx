import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationSettingsWire } from '../../../src/contract/management-settings.ts'
import { DEFAULT_RECEIPT_DETAILS, LABEL_SIZES, type ReceiptDetailsWire } from '../../../src/contract/receipt-details.ts'
import { callApi } from '../../api.ts'
import { useOperation } from '../../queries.ts'
import { scaleImage } from '../../scale-image.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { bindFields, Field, SelectField, TextField } from '../../ui/field.tsx'
import { ApiForm } from '../../ui/form.tsx'
import { LanguageSelect } from '../../ui/language-select.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/states.tsx'
import { RegisterCard, SellerRecordCard, type SellerSettings } from './seller-record-card.tsx'

/** What the service accepts of a logo. */
const MAX_LOGO_LENGTH = 40_000

/** The image as a data URL, scaled down until it is small enough for a receipt. */
const readLogo = (file: Blob): Promise<string> =>
  scaleImage(file, { sides: [480, 320, 200, 120], maxLength: MAX_LOGO_LENGTH, type: 'image/png' })

export function ReceiptDetailsPage() {
  const { t } = useTranslation('receipt-details')
  const query = useOperation('GET /api/manage/settings', {})
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryView query={query} skeletonLines={6}>
        {(settings) => (
          <div className="stack">
            <ReceiptDetailsForm saved={settings} />
            {settings.seller_record === 'off' ? null : <RegisterCard />}
          </div>
        )}
      </QueryView>
    </>
  )
}

function ReceiptDetailsForm({ saved }: { saved: OrganizationSettingsWire }) {
  const { t } = useTranslation(['receipt-details', 'common', 'appraisals'])
  const { role, organization } = useSession()
  const [details, setDetails] = useState(saved.receipt)
  const [sellers, setSellers] = useState<SellerSettings>(saved)
  const [logoProblem, setLogoProblem] = useState<string>()
  const mayChange = role === 'owner'
  const set = (changed: Partial<ReceiptDetailsWire>) => setDetails({ ...details, ...changed })
  const bind = bindFields(details, setDetails)
  const send = async () => {
    const { seller_record, seller_retention_days } = sellers
    await callApi('PATCH /api/manage/settings', { body: { receipt: details, seller_record, seller_retention_days } })
  }
  async function takeLogo(file: File | undefined) {
    if (!file) return
    try {
      set({ logo: await readLogo(file) })
      setLogoProblem(undefined)
    } catch {
      setLogoProblem(t('logoInvalid'))
    }
  }
  const form = (
    <fieldset className="columns" disabled={!mayChange}>
      <div className="stack">
        <Card title={t('shop')}>
          <div className="stack settings">
            <TextField
              label={t('shopName')}
              hint={t('shopNameHint', { name: organization?.name ?? t('organizationName') })}
              maxLength={100}
              {...bind('shop_name')}
            />
            <Field label={t('address')}>
              {(props) => (
                <textarea
                  {...props}
                  rows={3}
                  maxLength={300}
                  value={details.address}
                  onChange={(event) => set({ address: event.target.value })}
                />
              )}
            </Field>
            <TextField label={t('contact')} maxLength={120} {...bind('contact')} />
            <TextField label={t('vat')} maxLength={40} {...bind('vat_id')} />
            <Field label={t('logo')} hint={t('logoHint')} error={logoProblem}>
              {(props) => (
                <input
                  {...props}
                  type="file"
                  accept="image/png,image/jpeg,image/webp"
                  onChange={(event) => takeLogo(event.target.files?.[0])}
                />
              )}
            </Field>
            {details.logo ? (
              <p className="card-actions">
                <img className="sheet-logo" src={details.logo} alt={t('logoAlt')} />{' '}
                <Button onClick={() => set({ logo: '' })}>{t('logoRemove')}</Button>
              </p>
            ) : null}
            <Field label={t('common:language.label')} hint={t('languageHint')}>
              {({ id }) => (
                <LanguageSelect
                  id={id}
                  value={details.language || null}
                  automatic={t('languageOfPerson')}
                  choose={(language) => set({ language: language ?? '' })}
                />
              )}
            </Field>
          </div>
        </Card>
      </div>
      <div className="stack">
        <Card title={t('offer')}>
          <div className="stack settings">
            <TextField
              label={t('validDays')}
              hint={t('validDaysHint')}
              type="number"
              min={0}
              max={365}
              required
              value={String(details.valid_days)}
              onValueChange={(text) => set({ valid_days: Number(text) })}
            />
            <Field label={t('terms')}>
              {(props) => (
                <textarea
                  {...props}
                  rows={3}
                  maxLength={600}
                  value={
                    details.terms === DEFAULT_RECEIPT_DETAILS.terms ? t('appraisals:receipt.terms') : details.terms
                  }
                  onChange={(event) => set({ terms: event.target.value })}
                />
              )}
            </Field>
            <div>
              <label className="inline-choice">
                <input
                  type="checkbox"
                  checked={details.seller_lines}
                  onChange={(event) => set({ seller_lines: event.target.checked })}
                />
                {t('sellerLines')}
              </label>
              <p className="hint">{t('sellerLinesHint')}</p>
            </div>
            <SelectField
              label={t('label')}
              hint={t('labelHint')}
              value={details.label}
              options={[
                ['', t('labelNone')],
                ...LABEL_SIZES.map((size) => [size, `${size.replace('x', ' × ')} mm`] as const),
              ]}
              onValueChange={(label) => set({ label })}
            />
          </div>
        </Card>
        <SellerRecordCard chosen={sellers} choose={setSellers} />
      </div>
    </fieldset>
  )
  if (!mayChange) {
    return (
      <>
        {form}
        <p className="muted">{t('onlyOwners')}</p>
      </>
    )
  }
  return (
    <ApiForm action={t('save')} saved={t('common:saved')} send={send}>
      {form}
    </ApiForm>
  )
}
