import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrganizationSettingsWire } from '../../../src/contract/management-settings.ts'
import { callApi } from '../../api.ts'
import { formatAmount } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { localizedMarkets } from '../../markets.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice, SelectField, TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { ErrorMessage, QueryView } from '../../ui/states.tsx'
import type { PolicyField } from '../policy/policy-fields.ts'

export function SettingsPage() {
  const { t } = useTranslation('settings')
  const query = useOperation('GET /api/manage/settings', {})
  const [converted, setConverted] = useState<OrganizationSettingsWire['converted'] | null>(null)
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryView query={query} skeletonLines={6}>
        {(settings) => (
          <>
            <SettingsForm
              key={JSON.stringify([settings.name, settings.market, settings.currency])}
              settings={settings}
              onSaved={setConverted}
            />
            {converted ? <Saved converted={converted} /> : null}
            <DeveloperPages key={String(settings.developer_pages)} shown={settings.developer_pages} />
          </>
        )}
      </QueryView>
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
  const { t } = useTranslation(['settings', 'common'])
  const { role } = useSession()
  const [name, setName] = useState(settings.name)
  const [market, setMarket] = useState(settings.market ?? '')
  const [currency, setCurrency] = useState(settings.currency)
  const change = useApiMutation()
  const isOwner = role === 'owner'
  const currencyNames = new Intl.DisplayNames(currentLanguage(), { type: 'currency' })
  const markets = localizedMarkets(settings.markets)
  const nameOf = (code: string) => markets.find((each) => each.code === code)?.name ?? code
  const isChanged = name !== settings.name || market !== (settings.market ?? '') || currency !== settings.currency

  function chooseMarket(code: string) {
    setMarket(code)
    const usual = settings.markets.find((each) => each.code === (code || settings.service_market))?.currency
    if (usual && settings.currencies.includes(usual)) setCurrency(usual)
  }
  function submit() {
    onSaved(null)
    change.mutate(async () => {
      const body = { name, market: market || null, currency }
      const { data } = await callApi('PATCH /api/manage/settings', { body })
      onSaved(data.converted)
    })
  }
  return (
    <Form submit={submit}>
      <Card>
        <div className="stack settings">
          <TextField
            label={t('name')}
            error={change.error?.field === 'name' ? change.error.message : undefined}
            required
            maxLength={100}
            value={name}
            disabled={!isOwner}
            onValueChange={setName}
          />
          <SelectField
            label={t('market')}
            hint={t('marketHint')}
            value={market}
            disabled={!isOwner}
            options={[
              ['', t('marketDefault', { country: nameOf(settings.service_market) })],
              ...markets.map(({ code, name: country }) => [code, country] as const),
            ]}
            onValueChange={chooseMarket}
          />
          <SelectField
            label={t('currency')}
            hint={t('currencyHint')}
            error={change.error?.field === 'currency' ? change.error.message : undefined}
            value={currency}
            disabled={!isOwner}
            options={settings.currencies.map((code) => [code, `${code} – ${currencyNames.of(code)}`] as const)}
            onValueChange={setCurrency}
          />
          <ErrorMessage error={change.error?.field ? null : change.error} />
          {isOwner ? (
            <p className="actions">
              <Button variant="primary" type="submit" isBusy={change.isPending} disabled={!isChanged}>
                {t('common:action.save')}
              </Button>
            </p>
          ) : (
            <p className="muted">{t('onlyOwners')}</p>
          )}
        </div>
      </Card>
    </Form>
  )
}

function Saved({ converted }: Pick<OrganizationSettingsWire, 'converted'>) {
  const { t } = useTranslation('common')
  return (
    <div role="status">
      <p className="success">{t('saved')}</p>
      {converted.length > 0 ? <Conversion converted={converted} /> : null}
    </div>
  )
}

/** Shops without a program of their own do not need the pages for developers. */
function DeveloperPages({ shown }: { shown: boolean }) {
  const { t } = useTranslation('settings')
  const { role } = useSession()
  const { error, isPending, mutate } = useApiMutation()
  const [isTicked, setTicked] = useState(shown)
  function change(tick: boolean) {
    setTicked(tick)
    mutate(async () => {
      try {
        await callApi('PATCH /api/manage/settings', { body: { developer_pages: tick } })
      } catch (error) {
        setTicked(!tick)
        throw error
      }
    })
  }
  return (
    <Card title={t('developers.title')}>
      <Choice
        type="checkbox"
        checked={isTicked}
        disabled={role !== 'owner' || isPending}
        onChange={(event) => change(event.target.checked)}
        title={t('developers.show')}
        hint={t('developers.hint')}
      />
      <ErrorMessage error={error} />
    </Card>
  )
}

function Conversion({ converted }: Pick<OrganizationSettingsWire, 'converted'>) {
  const { t } = useTranslation(['settings', 'policy'])
  return (
    <Card title={t('converted.title')} note={t('converted.note')}>
      <ul className="plain-list">
        {converted.map(({ field, before, after }) => (
          <li key={field}>
            <span>{t(`policy:field.${field as PolicyField}`)}</span>
            <span>
              {formatAmount(before.amount, before.currency)} → {formatAmount(after.amount, after.currency)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
