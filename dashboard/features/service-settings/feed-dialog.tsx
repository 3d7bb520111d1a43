import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'
import { callApi } from '../../api.ts'
import { browserTimeZone } from '../../local-day.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field, SelectField, TextField } from '../../ui/field.tsx'
import { listKind } from '../imports/upload-labels.ts'
import { formatOptions, parseOptions } from './feed-options.ts'
import { enteredHeaders, NO_HEADER, SecretHeaderFields } from './secret-headers.tsx'

const EXAMPLE_URL = 'https://supplier.example/prices.csv'
const SCHEDULES = { night: '0 3 * * *', hour: '0 * * * *', monday: '0 3 * * 1', manual: '' } as const
type Schedule = keyof typeof SCHEDULES
const SCHEDULE_NAMES = Object.keys(SCHEDULES) as Schedule[]

/** Adds or edits a feed. */
export function FeedDialog({
  feed,
  formats,
  close,
}: {
  feed: ServiceSettingsWire['feeds'][number] | null
  formats: ServiceSettingsWire['feed_formats']
  close: () => void
}) {
  const { t } = useTranslation(['service-settings', 'common'])
  const [name, setName] = useState(feed?.name ?? '')
  const [format, setFormat] = useState(feed?.format ?? 'observations')
  const [url, setUrl] = useState(feed?.address ?? '')
  const [cron, setCron] = useState<string>(feed ? (feed.schedule ?? '') : SCHEDULES.night)
  const preset = SCHEDULE_NAMES.find((each) => SCHEDULES[each] === cron)
  const [isCustom, setCustom] = useState(preset === undefined)
  const [options, setOptions] = useState(formatOptions(feed?.options ?? {}))
  const [header, setHeader] = useState(NO_HEADER)
  const [api, setApi] = useState(feed?.api ? JSON.stringify(feed.api, null, 2) : '')
  const [clientSecret, setClientSecret] = useState('')
  const isPrices = format === 'observations'
  const timeZone = feed?.time_zone ?? browserTimeZone()
  const { options: names = [], flags = [] } = formats.find((each) => each.name === format) ?? {}
  const send = () =>
    callApi('PUT /api/manage/service/feeds/{name}', {
      params: { name },
      body: {
        format,
        url,
        schedule: cron.trim() || null,
        time_zone: timeZone,
        options: parseOptions(options),
        ...(isPrices && api.trim() ? { api: JSON.parse(api) } : {}),
        ...(clientSecret ? { client_secret: clientSecret } : {}),
        ...enteredHeaders(header),
      },
    })
  return (
    <FormDialog
      title={feed ? t('editNamed', { name: feed.name }) : t('feeds.addTitle')}
      action={feed ? t('common:action.save') : t('feeds.add')}
      send={send}
      close={close}
    >
      <TextField
        label={t('name')}
        hint={feed ? t('nameFixed') : t('nameHint')}
        required
        readOnly={feed !== null}
        pattern="[a-z0-9][a-z0-9_\-]*"
        maxLength={40}
        value={name}
        onValueChange={setName}
      />
      <SelectField
        label={t('feeds.format')}
        value={format}
        options={formats.map((each) => [each.name, listKind(each.name)] as const)}
        onValueChange={setFormat}
      />
      <TextField
        label={t('feeds.url')}
        type="url"
        placeholder={EXAMPLE_URL}
        required
        maxLength={2_000}
        value={url}
        onValueChange={setUrl}
      />
      <SelectField
        label={t('feeds.schedule')}
        hint={t('feeds.timeZone', { timeZone })}
        value={isCustom ? 'custom' : (preset ?? 'custom')}
        options={([...SCHEDULE_NAMES, 'custom'] as const).map((each) => [each, t(`feeds.schedules.${each}`)] as const)}
        onValueChange={(value) => {
          setCustom(value === 'custom')
          if (value !== 'custom') setCron(SCHEDULES[value])
        }}
      />
      {isCustom ? (
        <TextField
          label={t('feeds.cron')}
          hint={t('feeds.cronHint')}
          required
          maxLength={100}
          placeholder="30 6 * * 1-5"
          value={cron}
          onValueChange={setCron}
        />
      ) : null}
      <TextField
        label={t('feeds.options')}
        hint={t('feeds.optionsHint', { names: [...names, ...flags].join(', ') })}
        maxLength={500}
        value={options}
        onValueChange={setOptions}
      />
      {isPrices ? (
        <Field label={t('feeds.api')} hint={t('feeds.apiHint')}>
          {(props) => (
            <textarea
              {...props}
              className="json-field"
              rows={4}
              spellCheck={false}
              value={api}
              onChange={(event) => setApi(event.target.value)}
            />
          )}
        </Field>
      ) : null}
      {isPrices && api.includes('"oauth"') ? (
        <TextField
          label={t('sources.clientSecret')}
          type="password"
          required={!feed?.has_client_secret}
          maxLength={4_000}
          autoComplete="new-password"
          value={clientSecret}
          onValueChange={setClientSecret}
        />
      ) : null}
      <SecretHeaderFields header={header} change={setHeader} storedNames={feed?.header_names ?? []} />
    </FormDialog>
  )
}
