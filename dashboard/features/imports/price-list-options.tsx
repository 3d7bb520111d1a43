import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { PricePreviewWire, UploadPageWire } from '../../../src/contract/uploads.ts'
import { formatCount } from '../../format.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Select, SelectField, TextField } from '../../ui/field.tsx'
import { UploadCheck } from './upload-check.tsx'
import { GRADE_LABELS, gradeLabel } from './upload-labels.ts'
import { bindOptions, parsePairs, type UploadOptions, withPair } from './upload-options.ts'

type Props = {
  readonly prices: PricePreviewWire
  readonly uploads: UploadPageWire
  readonly options: UploadOptions
  readonly change: (options: UploadOptions) => void
  readonly isOpen: boolean
}

/** Defaults for values the file does not contain, and rules for reading it. */
export function PriceListOptions({ prices, uploads, options, change, isOpen }: Props) {
  const { t } = useTranslation('imports')
  const bind = bindOptions(options, change)
  return (
    <section className="card">
      <details className="upload-more" open={isOpen}>
        <summary>
          <h2>{t('options.title')}</h2>
          <span className="muted">{summarizeOptions(options, t) || t('options.none')}</span>
        </summary>
        <p className="note">{t('options.note')}</p>
        <div className="upload-options">
          <TextField label={t('options.date')} type="date" {...bind('date')} />
          <SelectField
            label={t('options.dateOrder')}
            {...bind('date-order')}
            options={[
              ['', t('options.ambiguous')],
              ['dmy', t('options.dmy')],
              ['mdy', t('options.mdy')],
            ]}
          />
          <SelectField
            label={t('options.range')}
            {...bind('range')}
            options={[
              ['', t('options.rangeSizes')],
              ['low', t('options.low')],
              ['refuse', t('options.reject')],
            ]}
          />
          <SelectField
            label={t('options.encoding')}
            {...bind('encoding')}
            options={[['', t('options.detect')], ...ENCODINGS]}
          />
          <TextField label={t('options.sheet')} hint={t('options.sheetHint')} maxLength={60} {...bind('sheet')} />
          <TextField label={t('field.source')} hint={t('options.sourceHint')} maxLength={60} {...bind('source')} />
          <TextField
            label={t('options.profile')}
            hint={t(profileHint(options.profile ?? '', uploads))}
            error={/^([a-z0-9][a-z0-9._-]*)?$/.test(options.profile ?? '') ? undefined : t('options.profileError')}
            maxLength={60}
            spellCheck={false}
            {...bind('profile')}
          />
        </div>
        <UploadCheck
          label={t('options.addVariants')}
          checked={options['add-variants'] !== undefined}
          onChange={(isChecked) => bind('add-variants').onValueChange(isChecked ? 'yes' : '')}
        />
        <UploadCheck
          label={t('options.confirmAmounts')}
          checked={options['confirm-amounts'] !== undefined}
          onChange={(isChecked) => bind('confirm-amounts').onValueChange(isChecked ? 'yes' : '')}
        />
        <Words words={prices.unknown_conditions} options={options} change={change} />
      </details>
    </section>
  )
}

const ENCODINGS = 'utf-8 windows-1250 windows-1251 windows-1252 windows-1257 shift_jis euc-kr gbk'.split(' ')

const gradeOptions = () => GRADE_LABELS.map((grade) => [grade, gradeLabel(grade)] as const)

/** Shown while the section is closed. */
function summarizeOptions(
  {
    map: _,
    assign: _assigned,
    side: _side,
    currency: _currency,
    market: _market,
    vat: _vat,
    condition,
    'add-variants': adds,
    'confirm-amounts': _confirmed,
    ...others
  }: UploadOptions,
  t: TFunction<'imports'>,
): string {
  const words = Object.keys(parsePairs(condition)).length
  return [
    ...Object.values(others),
    ...(words > 0 ? [t('options.conditions', { count: words })] : []),
    ...(adds ? [t('options.addSizes')] : []),
  ].join(' · ')
}

function profileHint(name: string, { profiles }: UploadPageWire) {
  if (name === '') return 'options.profileHint'
  return profiles.some((profile) => profile.name === name) ? 'options.profileReplaces' : 'options.profileSaved'
}

/** Unknown condition terms of the file, and those already mapped to a grade. */
function Words({
  words,
  options,
  change,
}: {
  words: PricePreviewWire['unknown_conditions']
  options: UploadOptions
  change: (options: UploadOptions) => void
}) {
  const { t } = useTranslation('imports')
  const grades = parsePairs(options.condition)
  const before = Object.keys(grades).filter((word) => word !== '' && !words.some((entry) => entry.word === word))
  const all = [...words, ...before.map((word) => ({ word, rows: 0 }))]
  if (all.length === 0) return null
  return (
    <>
      <h3 className="upload-words">{t('options.terms')}</h3>
      <DataTable
        label={t('options.terms')}
        rows={all}
        rowKey={({ word }) => word}
        columns={[
          { title: t('column.term'), cell: ({ word }) => word },
          {
            title: t('column.rows'),
            className: 'number',
            cell: ({ rows }) => (rows > 0 ? formatCount(rows) : t('options.mapped')),
          },
          {
            title: t('column.grade'),
            cell: ({ word }) => (
              <Select
                aria-label={t('options.gradeFor', { word })}
                value={grades[word] ?? ''}
                options={[['', t('options.unknown')], ...gradeOptions()]}
                onValueChange={(value) => change(withPair(options, 'condition', word, value))}
              />
            ),
          },
        ]}
      />
    </>
  )
}
