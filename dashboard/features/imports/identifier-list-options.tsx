import { useTranslation } from 'react-i18next'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { UploadCheck } from './upload-check.tsx'
import { bindOptions, type UploadOptions } from './upload-options.ts'

export function IdentifierListOptions({
  options,
  change,
}: {
  options: UploadOptions
  change: (options: UploadOptions) => void
}) {
  const { t } = useTranslation('imports')
  const bind = bindOptions(options, change)
  const clears = options.clears !== undefined
  return (
    <Card title={t('list.title')}>
      <div className="upload-options">
        <TextField
          label={t('list.name')}
          hint={t('list.nameHint')}
          maxLength={60}
          placeholder={t('list.namePlaceholder')}
          {...bind('list')}
        />
        <SelectField
          label={t('list.kind')}
          {...bind('kind')}
          options={[
            ['', t('list.fromHeader')],
            ['stolen', t('list.stolen')],
            ['barred', t('list.barred')],
            ['barred-tac', t('list.barredTac')],
            ['registration', t('list.registration')],
          ]}
        />
        {clears ? (
          <>
            <TextField label={t('list.region')} hint={t('list.regionHint')} maxLength={40} {...bind('area')} />
            <TextField label={t('list.days')} hint={t('list.daysHint')} inputMode="numeric" {...bind('max-age-days')} />
          </>
        ) : null}
      </div>
      <UploadCheck
        label={t('list.clears')}
        checked={clears}
        onChange={(isChecked) => {
          const { clears: _, area: _area, 'max-age-days': _days, ...rest } = options
          change(isChecked ? { ...rest, clears: 'yes' } : rest)
        }}
      />
      <UploadCheck
        label={t('list.shrink')}
        checked={options['accept-shrink'] !== undefined}
        onChange={(isChecked) => bind('accept-shrink').onValueChange(isChecked ? 'yes' : '')}
      />
    </Card>
  )
}
