import { useTranslation } from 'react-i18next'
import type { CommonRepairWire, RepairWire } from '../../../src/contract/repair.ts'
import { codeTexts } from '../../codes.ts'
import { formatTime } from '../../format.ts'
import { type Money, useMoney } from '../../money.ts'
import { useOperation } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card, Fact, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { DeviceBreadcrumbs } from './device-page.tsx'

const ROI_TONES: Readonly<Record<RepairWire['repair_roi_indicator'], Tone>> = {
  high: 'good',
  medium: 'good',
  low: 'warn',
  negative: 'bad',
  unknown: 'plain',
}

const AVAILABILITY: Readonly<Record<string, Tone>> = { in_stock: 'good', limited: 'warn', backorder: 'warn' }

export function RepairsPage({ id }: { id: string }) {
  const { t } = useTranslation('devices')
  const money = useMoney()
  const request = { query: { device_id: id, currency: money.currency } }
  const query = useOperation('GET /api/repairs', request)
  return (
    <QueryView query={query} skeletonLines={8} title={t('repair.title')}>
      {(repair) => <RepairProfile id={id} repair={repair} money={money} />}
    </QueryView>
  )
}

/** Notes on where our figures come from, apart from those on the device. */
const isAboutFigures = (code: string | null) => /^(score|cost|labour)_/.test(code ?? '')

function RepairProfile({ id, repair, money }: { id: string; repair: RepairWire; money: Money }) {
  const { t } = useTranslation('devices')
  const { average_repair_cost: cost, repair_roi_indicator: roi } = repair
  const texts = codeTexts()
  const notesOf = (isWanted: (code: string | null) => boolean) =>
    repair.technical_note_codes.flatMap((note, index) =>
      isWanted(note.code)
        ? [texts.repairNote({ ...note, text: repair.technical_notes[index] ?? '' }, (rate) => money.format(rate))]
        : [],
    )
  return (
    <>
      <DeviceBreadcrumbs device={{ id, name: repair.device_name }} here={t('repair.title')} />
      <PageHeader title={t('repair.of', { device: repair.device_name })} lead={t('repair.lead')} />
      <dl className="figures">
        <Fact name={t('repair.score')}>
          {repair.repairsite_score === null ? null : `${repair.repairsite_score} / 10`}{' '}
          <span className="muted">{t(`rating.${repair.repairability_rating}`)}</span>
        </Fact>
        <Fact name={t('repair.average')}>
          {cost ? money.formatRange({ low: cost.min, high: cost.max }) : t('repair.unknown')}
        </Fact>
        <Fact name={t('repair.return')}>
          <Badge tone={ROI_TONES[roi]}>{t(`roi.${roi}`)}</Badge> <span className="muted">{t(`roiText.${roi}`)}</span>
        </Fact>
        <Fact name={t('repair.completeness')}>{repair.data_completeness} %</Fact>
      </dl>
      <Card title={t('repair.common')}>
        {repair.common_repairs.length === 0 ? (
          <EmptyState title={t('repair.none')} />
        ) : (
          <ul className="repairs">
            {repair.common_repairs.map((commonRepair) => (
              <Repair key={commonRepair.name} repair={commonRepair} money={money} />
            ))}
          </ul>
        )}
      </Card>
      <div className="masonry">
        <Words title={t('repair.failures')} words={repair.common_failure_points.map(texts.failurePoint)} list="ol" />
        <Words title={t('repair.proprietary')} words={repair.proprietary_parts.map(texts.proprietaryPart)} />
        <Words title={t('repair.tools')} words={repair.special_tools_required.map(texts.repairTool)} />
        <Words title={t('repair.notes')} words={notesOf((code) => !isAboutFigures(code))} />
        <Words title={t('repair.figures')} words={notesOf(isAboutFigures)} />
      </div>
      <p className="muted">{t('repair.updated', { time: formatTime(repair.last_updated) })}</p>
    </>
  )
}

function Repair({ repair, money }: { repair: CommonRepairWire; money: Money }) {
  const { t } = useTranslation('devices')
  return (
    <li>
      <div className="repair-head">
        <h3>{codeTexts().repairTitle(repair.name)}</h3>
        <span className="muted">
          {repair.difficulty ? t(`difficulty.${repair.difficulty}`) : t('repair.difficultyUnknown')} ·{' '}
          {repair.estimated_time_minutes
            ? t('repair.minutes', { count: repair.estimated_time_minutes })
            : t('repair.timeUnknown')}
          {repair.repairsite_guide_url ? (
            <>
              {' · '}
              <a href={repair.repairsite_guide_url} rel="noreferrer noopener">
                {t('repair.guide')}
              </a>
            </>
          ) : null}
        </span>
      </div>
      <ul className="parts">
        {repair.parts.map((part) => (
          <li key={part.name}>
            <span>{codeTexts().repairPart(part.name)}</span>
            <span>
              {part.cost_min === null
                ? t('repair.costUnknown')
                : money.formatRange({ low: part.cost_min, high: part.cost_max })}
            </span>
            {part.basis === 'estimated' ? <span className="muted">{t('repair.estimated')}</span> : null}
            {part.availability === 'unknown' ? null : (
              <Badge tone={AVAILABILITY[part.availability] ?? 'plain'}>{t(`availability.${part.availability}`)}</Badge>
            )}
          </li>
        ))}
        <li>
          <span>{t('repair.labour')}</span>
          <span>
            {repair.labour_min === null
              ? t('repair.timeUnknown')
              : money.formatRange({ low: repair.labour_min, high: repair.labour_max })}
          </span>
          {repair.labour_basis === 'estimated' ? <span className="muted">{t('repair.estimated')}</span> : null}
        </li>
      </ul>
    </li>
  )
}

function Words({ title, words, list: List = 'ul' }: { title: string; words: readonly string[]; list?: 'ul' | 'ol' }) {
  const { t } = useTranslation('devices')
  return (
    <Card title={title}>
      {words.length === 0 ? (
        <p className="muted">{t('repair.noData')}</p>
      ) : (
        <List>
          {words.map((word) => (
            <li key={word}>{word}</li>
          ))}
        </List>
      )}
    </Card>
  )
}
