import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select.tsx'
import { type UploadOptions, withOption } from './upload-options.ts'

export function IdentifierListOptions({
  options,
  change,
}: {
  options: UploadOptions
  change: (options: UploadOptions) => void
}) {
  const { t } = useTranslation('imports')
  const set = (name: string) => (value: string) => change(withOption(options, name, value))
  const clears = options.clears !== undefined
  return (
    <Card title={t('list.title')}>
      <div className="upload-options">
        <Field label={t('list.name')} hint={t('list.nameHint')}>
          {(props) => (
            <input
              {...props}
              maxLength={60}
              placeholder={t('list.namePlaceholder')}
              value={options.list ?? ''}
              onChange={(event) => set('list')(event.target.value)}
            />
          )}
        </Field>
        <SelectField
          label={t('list.kind')}
          value={options.kind ?? ''}
          options={[
            ['', t('list.fromHeader')],
            ['stolen', t('list.stolen')],
            ['barred', t('list.barred')],
            ['barred-tac', t('list.barredTac')],
            ['registration', t('list.registration')],
          ]}
          onValueChange={(value) => set('kind')(value)}
        />
        {clears ? (
          <>
            <Field label={t('list.region')} hint={t('list.regionHint')}>
              {(props) => (
                <input
                  {...props}
                  maxLength={40}
                  value={options.area ?? ''}
                  onChange={(event) => set('area')(event.target.value)}
                />
              )}
            </Field>
            <Field label={t('list.days')} hint={t('list.daysHint')}>
              {(props) => (
                <input
                  {...props}
                  inputMode="numeric"
                  value={options['max-age-days'] ?? ''}
                  onChange={(event) => set('max-age-days')(event.target.value)}
                />
              )}
            </Field>
          </>
        ) : null}
      </div>
      <label className="upload-check">
        <input
          type="checkbox"
          checked={clears}
          onChange={(event) => {
            const { clears: _, area: _area, 'max-age-days': _days, ...rest } = options
            change(event.target.checked ? { ...rest, clears: 'yes' } : rest)
          }}
        />
        <span>{t('list.clears')}</span>
      </label>
      <label className="upload-check">
        <input
          type="checkbox"
          checked={options['accept-shrink'] !== undefined}
          onChange={(event) => set('accept-shrink')(event.target.checked ? 'yes' : '')}
        />
        <span>{t('list.shrink')}</span>
      </label>
    </Card>
  )
}
