import { useTranslation } from 'react-i18next'
import type { CommonRepairWire, RepairWire } from '../../../src/contract/repair.ts'
import { codeTexts } from '../../codes.ts'
import { formatTime } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { type Money, useMoney } from '../../money.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ApiCallPanel } from '../../ui/code-block.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'
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
  const path = `repairs?device_id=${encodeURIComponent(id)}&currency=${money.currency}` as const
  const query = useApiQuery(`/account/explore/${path}`)
  return (
    <QueryView query={query} skeletonLines={8} title={t('repair.title')}>
      {(repair, { rawBody: text }) => (
        <>
          <DeviceBreadcrumbs device={{ id, name: repair.device_name }} here={t('repair.title')} />
          <PageHeader title={t('repair.of', { device: repair.device_name })} lead={t('repair.lead')} />
          <dl className="figures">
            <div>
              <dt>{t('repair.score')}</dt>
              <dd>
                {repair.repairsite_score === null ? null : `${repair.repairsite_score} / 10`}{' '}
                <span className="muted">{t(`rating.${repair.repairability_rating}`)}</span>
              </dd>
            </div>
            <div>
              <dt>{t('repair.average')}</dt>
              <dd>
                {repair.average_repair_cost
                  ? `${money.formatWhole(repair.average_repair_cost.min)} – ${money.formatWhole(repair.average_repair_cost.max)}`
                  : t('repair.unknown')}
              </dd>
            </div>
            <div>
              <dt>{t('repair.return')}</dt>
              <dd>
                <Badge tone={ROI_TONES[repair.repair_roi_indicator]}>{t(`roi.${repair.repair_roi_indicator}`)}</Badge>{' '}
                <span className="muted">{t(`roiText.${repair.repair_roi_indicator}`)}</span>
              </dd>
            </div>
            <div>
              <dt>{t('repair.completeness')}</dt>
              <dd>{repair.data_completeness} %</dd>
            </div>
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
            <Words
              title={t('repair.failures')}
              words={repair.common_failure_points}
              translate={codeTexts().failurePoint}
              ordered
            />
            <Words title={t('repair.proprietary')} words={repair.proprietary_parts} />
            <Words title={t('repair.tools')} words={repair.special_tools_required} />
            <Words title={t('repair.notes')} words={repair.technical_notes} />
          </div>
          <p className="muted">
            {t('repair.updated', { time: formatTime(repair.last_updated) })}{' '}
            {currentLanguage() === 'en' ? null : t('repair.inEnglish')}
          </p>
          <ApiCallPanel path={path} response={text} />
        </>
      )}
    </QueryView>
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
                : `${money.formatWhole(part.cost_min)} – ${money.formatWhole(part.cost_max)}`}
            </span>
            <Badge tone={AVAILABILITY[part.availability] ?? 'plain'}>{t(`availability.${part.availability}`)}</Badge>
          </li>
        ))}
        <li>
          <span>{t('repair.labour')}</span>
          <span>
            {repair.labour_min === null
              ? t('repair.timeUnknown')
              : `${money.formatWhole(repair.labour_min)} – ${money.formatWhole(repair.labour_max)}`}
          </span>
        </li>
      </ul>
    </li>
  )
}

/** Texts that have no translation are marked as English. */
function Words({
  title,
  words,
  translate = (word) => word,
  ordered = false,
}: {
  title: string
  words: readonly string[]
  translate?: (word: string) => string
  ordered?: boolean
}) {
  const { t } = useTranslation('devices')
  const items = words.map((word) => {
    const text = translate(word)
    return (
      <li key={word} lang={text === word ? 'en' : undefined}>
        {text}
      </li>
    )
  })
  return (
    <Card title={title}>
      {words.length === 0 ? (
        <p className="muted">{t('repair.noData')}</p>
      ) : ordered ? (
        <ol>{items}</ol>
      ) : (
        <ul>{items}</ul>
      )}
    </Card>
  )
}
