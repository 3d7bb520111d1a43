import { type FormEvent, useState } from 'react'
import type { ServiceSettingsWire, StoredSettingName } from '../../../src/contract/service-settings.ts'
import { apiPost } from '../../api.ts'
import { useApiMutation } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'

type Setting = ServiceSettingsWire['settings'][number]

/** Market, sample data and retention. */
export function GeneralCard({ settings: { settings, markets } }: { settings: ServiceSettingsWire }) {
  const find = (name: StoredSettingName) => settings.find((setting) => setting.name === name)
  const market = find('MARKET')
  const sampleData = find('SAMPLE_DATA')
  const retention = find('LOOKUP_RETENTION_DAYS')
  return (
    <Card title="General">
      <div className="stack settings">
        {market ? (
          <SettingForm
            key={market.value}
            setting={market}
            label="Market"
            hint="Country whose prices organizations get that chose none. Each chooses its own market and currency in its settings."
            render={(props, value, change) => (
              <select {...props} value={value} onChange={(event) => change(event.target.value)}>
                {markets.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          />
        ) : null}
        {sampleData ? (
          <SettingForm
            key={sampleData.value}
            setting={sampleData}
            label="Sample data"
            hint="Simulated prices for devices without observations, always marked. Turn them off once you have your own prices."
            render={(props, value, change) => (
              <select {...props} value={value} onChange={(event) => change(event.target.value)}>
                <option value="on">On</option>
                <option value="off">Off</option>
              </select>
            )}
          />
        ) : null}
        {retention ? (
          <SettingForm
            key={retention.value}
            setting={retention}
            label="Retention of lookups and appraisals, in days"
            hint="Older ones are deleted every hour, in all organizations. 0 keeps them."
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
  label,
  hint,
  render,
}: {
  setting: Setting
  label: string
  hint: string
  render: (props: FieldProps, value: string, change: (value: string) => void) => React.ReactNode
}) {
  const [value, setValue] = useState(setting.value)
  const saving = useApiMutation()
  const { name, source } = setting
  const isFixed = source === 'environment'
  const save = (next: string | null) =>
    saving.mutate(async () => {
      await apiPost('/account/service', { name, value: next })
    })
  function submit(event: FormEvent) {
    event.preventDefault()
    save(value)
  }
  return (
    <form className="setting-form" onSubmit={submit}>
      <Field
        label={label}
        hint={isFixed ? `Set by the variable ${name} of the environment; change it there.` : hint}
        error={saving.error?.message}
      >
        {(props) => render({ ...props, disabled: isFixed }, value, setValue)}
      </Field>
      {isFixed ? null : (
        <div className="term-actions">
          <Button type="submit" isBusy={saving.isPending} disabled={value === setting.value}>
            Save
          </Button>
          {source === 'page' ? (
            <Button variant="link" disabled={saving.isPending} onClick={() => save(null)}>
              Use the default ({setting.default_value})
            </Button>
          ) : null}
        </div>
      )}
    </form>
  )
}
