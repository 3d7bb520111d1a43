import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
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
        <TextField
          label={t('list.name')}
          hint={t('list.nameHint')}
          maxLength={60}
          placeholder={t('list.namePlaceholder')}
          value={options.list ?? ''}
          onValueChange={set('list')}
        />
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
            <TextField
              label={t('list.region')}
              hint={t('list.regionHint')}
              maxLength={40}
              value={options.area ?? ''}
              onValueChange={set('area')}
            />
            <TextField
              label={t('list.days')}
              hint={t('list.daysHint')}
              inputMode="numeric"
              value={options['max-age-days'] ?? ''}
              onValueChange={set('max-age-days')}
            />
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
