import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { OrganizationSettingsWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatAmount } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import type { PolicyField } from '../policy/policy-fields.ts'

export function SettingsPage() {
  const query = useApiQuery<OrganizationSettingsWire>('/account/settings')
  const [converted, setConverted] = useState<OrganizationSettingsWire['converted'] | null>(null)
  return (
    <>
      <PageHeader title="Organization settings" lead="Name, market and currency of your organization.">
        <Link className="button button-plain" to="/dashboard/receipt">
          Shop details on receipts
        </Link>
      </PageHeader>
      <QueryView query={query} skeletonLines={6}>
        {(settings) => (
          <SettingsForm
            key={JSON.stringify([settings.name, settings.market, settings.currency])}
            settings={settings}
            onSaved={setConverted}
          />
        )}
      </QueryView>
      {converted ? (
        <div role="status">
          <p>Saved.</p>
          {converted.length > 0 ? <Conversion converted={converted} /> : null}
        </div>
      ) : null}
    </>
  )
}

function SettingsForm({
  settings,
  onSaved,
}: {
  settings: OrganizationSettingsWire
  onSaved: (converted: OrganizationSettingsWire['converted'] | null) => void
}) {
  const { role } = useSession()
  const [name, setName] = useState(settings.name)
  const [market, setMarket] = useState(settings.market ?? '')
  const [currency, setCurrency] = useState(settings.currency)
  const change = useApiMutation()
  const isOwner = role === 'owner'
  const nameOf = (code: string) => settings.markets.find((each) => each.code === code)?.name ?? code
  const isChanged = name !== settings.name || market !== (settings.market ?? '') || currency !== settings.currency

  function chooseMarket(code: string) {
    setMarket(code)
    const usual = settings.markets.find((each) => each.code === (code || settings.service_market))?.currency
    if (usual && settings.currencies.includes(usual)) setCurrency(usual)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    onSaved(null)
    change.mutate(async () => {
      const { data } = await apiPost<OrganizationSettingsWire>('/account/settings', {
        ...{ name, market: market || null, currency },
      })
      onSaved(data.converted)
    })
  }
  return (
    <form onSubmit={submit}>
      <Card>
        <div className="stack settings">
          <Field label="Name" error={change.error?.field === 'name' ? change.error.message : undefined}>
            {(props) => (
              <input
                {...props}
                required
                maxLength={100}
                value={name}
                disabled={!isOwner}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <Field
            label="Market"
            hint="Prices are those of this country. Imported lists belong to it unless they say otherwise."
          >
            {(props) => (
              <select
                {...props}
                value={market}
                disabled={!isOwner}
                onChange={(event) => chooseMarket(event.target.value)}
              >
                <option value="">Default ({nameOf(settings.service_market)})</option>
                {settings.markets.map(({ code, name: country }) => (
                  <option key={code} value={code}>
                    {country}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            label="Currency"
            hint="All amounts in the dashboard. Another currency converts the amounts of the buying policy."
            error={change.error?.field === 'currency' ? change.error.message : undefined}
          >
            {(props) => (
              <select
                {...props}
                value={currency}
                disabled={!isOwner}
                onChange={(event) => setCurrency(event.target.value)}
              >
                {settings.currencies.map((code) => (
                  <option key={code} value={code}>
                    {code} – {currencyNames.of(code)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {change.error && !change.error.field ? <ErrorMessage error={change.error} /> : null}
          {isOwner ? (
            <p className="term-actions">
              <Button variant="primary" type="submit" isBusy={change.isPending} disabled={!isChanged}>
                Save
              </Button>
            </p>
          ) : (
            <p className="muted">Only owners can change the settings.</p>
          )}
        </div>
      </Card>
    </form>
  )
}

const currencyNames = new Intl.DisplayNames('en', { type: 'currency' })

function Conversion({ converted }: Pick<OrganizationSettingsWire, 'converted'>) {
  const { t } = useTranslation('policy')
  return (
    <Card title="Buying policy converted" note="Check the amounts in the buying policy.">
      <ul className="plain-list">
        {converted.map(({ field, before, after }) => (
          <li key={field}>
            <span>{t(`field.${field as PolicyField}`)}</span>
            <span>
              {formatAmount(before.amount, before.currency)} → {formatAmount(after.amount, after.currency)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
