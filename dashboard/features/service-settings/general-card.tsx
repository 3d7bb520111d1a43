import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceSettingsWire, StoredSettingName } from '../../../src/contract/service-settings.ts'
import { callApi } from '../../api.ts'
import { localizedMarkets } from '../../markets.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'

type Setting = ServiceSettingsWire['settings'][number]

/** Market, sample data and retention. */
export function GeneralCard({ settings: { settings, markets: allMarkets } }: { settings: ServiceSettingsWire }) {
  const { t } = useTranslation('service-settings')
  const markets = localizedMarkets(allMarkets)
  const find = (name: StoredSettingName) => settings.find((setting) => setting.name === name)
  const market = find('MARKET')
  const sampleData = find('SAMPLE_DATA')
  const retention = find('LOOKUP_RETENTION_DAYS')
  return (
    <Card title={t('general.title')}>
      <div className="settings-row">
        {market ? (
          <SettingForm
            key={market.value}
            setting={market}
            describeValue={(code) => markets.find((each) => each.code === code)?.name ?? code}
            label={t('general.market')}
            hint={t('general.marketHint')}
            render={(props, value, change) => (
              <Select
                {...props}
                value={value}
                options={markets.map(({ code, name }) => [code, name] as const)}
                onValueChange={change}
              />
            )}
          />
        ) : null}
        {sampleData ? (
          <SettingForm
            key={sampleData.value}
            setting={sampleData}
            describeValue={(value) => (value === 'on' ? t('general.on') : t('general.off'))}
            label={t('general.sampleData')}
            hint={t('general.sampleDataHint')}
            render={(props, value, change) => (
              <Select
                {...props}
                value={value}
                options={[
                  ['on', t('general.on')],
                  ['off', t('general.off')],
                ]}
                onValueChange={change}
              />
            )}
          />
        ) : null}
        {retention ? (
          <SettingForm
            key={retention.value}
            setting={retention}
            label={t('general.retention')}
            hint={t('general.retentionHint')}
            render={(props, value, change) => (
              <input
                {...props}
                type="number"
                min={0}
                max={36_500}
                required
                value={value}
                onChange={(event) => change(event.target.value)}
              />
            )}
          />
        ) : null}
      </div>
    </Card>
  )
}

type FieldProps = Parameters<Parameters<typeof Field>[0]['children']>[0] & { disabled: boolean }

function SettingForm({
  setting,
  describeValue = (value) => value,
  label,
  hint,
  render,
}: {
  setting: Setting
  describeValue?: (value: string) => string
  label: string
  hint: string
  render: (props: FieldProps, value: string, change: (value: string) => void) => React.ReactNode
}) {
  const { t } = useTranslation(['service-settings', 'common'])
  const [value, setValue] = useState(setting.value)
  const saving = useApiMutation()
  const { name, source } = setting
  const isFixed = source === 'environment'
  const save = (next: string | null) =>
    saving.mutate(() => callApi('PATCH /api/manage/service', { body: { [name]: next } }))
  return (
    <Form className="setting-form" submit={() => save(value)}>
      <Field label={label} hint={isFixed ? t('general.fromEnvironment', { name }) : hint} error={saving.error?.message}>
        {(props) => render({ ...props, disabled: isFixed }, value, setValue)}
      </Field>
      {isFixed ? null : (
        <div className="actions">
          <Button type="submit" isBusy={saving.isPending} disabled={value === setting.value}>
            {t('common:action.save')}
          </Button>
          {source === 'page' ? (
            <Button variant="link" disabled={saving.isPending} onClick={() => save(null)}>
              {t('general.useDefault', { value: describeValue(setting.default_value) })}
            </Button>
          ) : null}
        </div>
      )}
    </Form>
  )
}
