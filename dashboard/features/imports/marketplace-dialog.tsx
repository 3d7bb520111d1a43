import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EBAY, EBAY_MARKETS, type TestedListingWire } from '../../../src/contract/price-services.ts'
import type { ServiceSettingsWire, SourceTestWire } from '../../../src/contract/service-settings.ts'
import { callApi } from '../../api.ts'
import { failureText } from '../../error-text.ts'
import { formatCount } from '../../format.ts'
import { useApiMutation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { gradeLabel, marketplaceName, rejectionReason } from './upload-labels.ts'

type Market = (typeof EBAY_MARKETS)[number]

/** Every hour at a minute of its own, so that not everybody asks at the full hour. */
const SCHEDULE = '17 * * * *'
const PUBLIC_URL = 'https://api.ebay.com'
const EXAMPLE_DEVICE = 'iPhone 13 128GB'

/** Connects a marketplace, or changes its account. New prices are fetched at once. */
export function MarketplaceDialog({
  feed,
  close,
}: {
  feed: ServiceSettingsWire['feeds'][number] | null
  close: () => void
}) {
  const { t } = useTranslation(['imports', 'service-settings', 'common'])
  const template = feed?.template ?? null
  const { organization } = useSession()
  const ownMarket = EBAY_MARKETS.find((each) => each.toLowerCase() === organization.market)
  const [market, setMarket] = useState<Market>(template?.market ?? ownMarket ?? 'US')
  const [clientId, setClientId] = useState(template?.client_id ?? '')
  const [clientSecret, setClientSecret] = useState('')
  const [perDay, setPerDay] = useState(template?.requests_per_day?.toString() ?? '')
  const [url, setUrl] = useState(template?.base_url ?? '')
  const name = feed?.name ?? `${EBAY}-${market.toLowerCase()}`
  const body = () => ({
    template: {
      name: EBAY,
      market,
      client_id: clientId.trim(),
      ...(url.trim() ? { base_url: url.trim().replace(/\/+$/, '') } : {}),
      ...(perDay.trim() ? { requests_per_day: Number(perDay) } : {}),
    },
    ...(clientSecret ? { client_secret: clientSecret } : {}),
    schedule: feed ? feed.schedule : SCHEDULE,
    ...(feed ? { options: feed.options } : {}),
  })
  async function save() {
    await callApi('PUT /api/manage/service/feeds/{name}', { params: { name }, body: body() })
    if (!feed) await callApi('POST /api/manage/service/feeds/{name}/run', { params: { name } })
  }
  return (
    <FormDialog
      title={feed ? t('service-settings:editNamed', { name: marketplaceName(market) }) : t('marketplaces.addTitle')}
      action={feed ? t('common:action.save') : t('marketplaces.connect')}
      send={save}
      close={close}
    >
      <SelectField
        label={t('marketplaces.market')}
        value={market}
        disabled={feed !== null}
        options={EBAY_MARKETS.map((each) => [each, marketplaceName(each)] as const)}
        onValueChange={setMarket}
      />
      <TextField
        label={t('service-settings:sources.clientId')}
        hint={t('marketplaces.account')}
        required
        maxLength={200}
        autoComplete="off"
        value={clientId}
        onValueChange={setClientId}
      />
      <TextField
        label={t('service-settings:sources.clientSecret')}
        hint={feed ? t('marketplaces.secretKept') : undefined}
        type="password"
        required={feed === null}
        maxLength={4_000}
        autoComplete="new-password"
        value={clientSecret}
        onValueChange={setClientSecret}
      />
      <details open={url !== ''}>
        <summary>{t('marketplaces.more')}</summary>
        <div className="stack">
          <TextField
            label={t('marketplaces.perDay')}
            hint={t('marketplaces.perDayHint')}
            type="number"
            min={1}
            max={5_000_000}
            placeholder="4500"
            value={perDay}
            onValueChange={setPerDay}
          />
          <TextField
            label={t('service-settings:sources.url')}
            hint={t('marketplaces.urlHint')}
            type="url"
            placeholder={PUBLIC_URL}
            maxLength={300}
            value={url}
            onValueChange={setUrl}
          />
        </div>
      </details>
      <fieldset className="choices section">
        <legend>{t('service-settings:sources.testTitle')}</legend>
        <MarketplaceTest request={() => ({ ...(feed ? { name } : {}), feed: body() })} isReady={clientId !== ''} />
      </fieldset>
    </FormDialog>
  )
}

type TestBody = Parameters<typeof callApi<'POST /api/manage/service/sources/test'>>[1]['body']

/** Asks the marketplace about one device and shows what would be imported. */
function MarketplaceTest({ request, isReady }: { request: () => Omit<TestBody, 'query'>; isReady: boolean }) {
  const { t } = useTranslation(['imports', 'service-settings'])
  const [device, setDevice] = useState(EXAMPLE_DEVICE)
  const [result, setResult] = useState<SourceTestWire | null>(null)
  const testing = useApiMutation()
  function test() {
    setResult(null)
    testing.mutate(async () => {
      const body = { ...request(), query: device }
      setResult((await callApi('POST /api/manage/service/sources/test', { body })).data)
    })
  }
  return (
    <div className="stack">
      <TextField
        label={t('marketplaces.testDevice')}
        hint={t('marketplaces.testHint')}
        maxLength={200}
        value={device}
        onValueChange={setDevice}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter tests and does not save.
          event.preventDefault()
          if (isReady && device.trim()) test()
        }}
      />
      <div>
        <Button isBusy={testing.isPending} disabled={!isReady || device.trim() === ''} onClick={test}>
          {t('service-settings:sources.test')}
        </Button>
      </div>
      <ErrorMessage error={testing.error} />
      <div role="status">{result ? <TestResult result={result} /> : null}</div>
    </div>
  )
}

function TestResult({ result: { outcome, reason, failure_reason, results, listings } }: { result: SourceTestWire }) {
  const { t } = useTranslation(['imports', 'service-settings'])
  if (outcome !== 'answered') {
    return (
      <p>
        <Badge tone="bad">{t('service-settings:sources.outcome.failed')}</Badge> {failureText(reason, failure_reason)}
      </p>
    )
  }
  const used = listings.filter(({ device }) => device !== null).length
  return (
    <>
      <p>
        <Badge tone={used > 0 ? 'good' : 'warn'}>{t('service-settings:sources.outcome.answered')}</Badge>{' '}
        {t('marketplaces.tested', {
          results: formatCount(results ?? listings.length),
          shown: formatCount(listings.length),
          used: formatCount(used),
        })}
      </p>
      {listings.length > 0 ? <TestedListings listings={listings} /> : null}
    </>
  )
}

function TestedListings({ listings }: { listings: readonly TestedListingWire[] }) {
  const { t } = useTranslation(['imports', 'codes'])
  return (
    <DataTable
      label={t('marketplaces.column.prices')}
      rows={listings}
      rowKey={({ listing_id: id }, index) => `${id} ${index}`}
      className="scroll-short"
      isMuted={({ device }) => device === null}
      columns={[
        { title: t('field.model'), isRowName: true, cell: ({ title }) => title },
        { title: t('field.amount'), className: 'nowrap', cell: ({ price, currency }) => `${price} ${currency}` },
        {
          title: t('column.readAs'),
          cell: ({ device, grade, reason }) =>
            device === null
              ? t('marketplaces.leftOut', { reason: rejectionReason(reason ?? '') })
              : `${device} · ${gradeLabel(grade === null || grade === 'Ungraded' ? 'used' : grade)}`,
        },
      ]}
    />
  )
}
